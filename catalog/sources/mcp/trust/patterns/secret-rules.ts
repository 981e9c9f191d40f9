import { rulesOf } from './rule.ts'

const ASIDE_SECRET_BUSINESS =
  'credential secret ssh aws key passw vault env config auth login token cookie git deploy cloud server connect remote profile keychain identity security leak scan certificate pem wallet history cursor mcp claude kube cluster docker npm sign account session log pay purchas donat subscri'

const CARRIED = '@hotSecret|@secretPlace|@chat|password|secret|passphrase|keychain'
const PIECEMEAL =
  'split|splits|cut|cuts|chop|chops|divide|divides|break|breaks|slice|slices|spell|spells|turn|turns|encode|encodes|hide|hides|disguise|disguises'

/** Secrets are reached for, asked for or handed on, in the text or by a parameter. */
export const SECRET_RULES = rulesOf('data-exfiltration', [
  {
    reason: 'has the model give what only the user may give',
    any: [
      '@model ~2 enter|enters|entering|type|types|fill|fills|supply|supplies|furnish|furnishes|submit|submits ~7 @hotSecret|password|passphrase|passcode|pin|otp|one_time|recovery_code|recovery_codes|@secretVariable|passport|birthday|salary|cvc',
    ],
    business: 'vault passw secret credential otp totp keychain autofill',
  },
  {
    reason: 'takes to one service what signs in to another',
    where: 'aside',
    any: [
      'header|token|tokens|cookie|cookies|credentials|key|login ~2 that|which ~1 you ~1 use|used|have|hold ~2 for|with',
      'header|token|tokens|cookie|cookies|credentials|key|login ~2 of|from|for ~2 other|another|whichever|whatever ~2 service|services|server|servers|site|sites|account|accounts|tool|tools|connected',
    ],
    business: ASIDE_SECRET_BUSINESS,
  },
  {
    reason: 'has the model ask for what signs the user in, and hand it on',
    where: 'aside',
    any: [
      'ask|asks|request|requests|prompt|prompts|have|tell|get ~2 @user|them ~7 password|passphrase|passcode|pin|cvc|login|@hotSecret ~6 call|retry|run|use|try|pass|hand|continue|repeat|submit|enter',
      'ask|asks|request|requests|prompt|prompts ~3 password|passphrase|passcode|pin|cvc|login|@hotSecret ~1 of|from ~2 @user|them ~6 call|retry|run|use|try|pass|hand|continue|repeat|submit|send',
      '@user|they ~2 must|should|has|have|need|needs ~2 enter|type|paste|provide|give|supply ~6 password|passphrase|passcode|pin|cvc|@hotSecret ~5 here|chat|conversation|message|reply',
    ],
    unless: ['settings|configuration|page|browser|website|portal|form'],
    business: ASIDE_SECRET_BUSINESS,
  },
  {
    reason: 'has secrets, files or the conversation put into a call',
    where: 'aside',
    any: [
      '@secretPlace|@chat|@hotSecret|password|passphrase ~2 is|are|be|being ~2 embedded|included|put|placed|supplied|appended|inserted|written|attached ~2 in|into|to|as|within ~4 @place|@identifier',
      'deploy|signing|master|license|licence|api|ssh|access ~0 key|keys|token|tokens ~2 is|are|be|being ~2 embedded|included|put|placed|supplied|appended|inserted|written ~2 in|into|to|as|within ~4 @place|@identifier',
      '@put!|@move! ~6 what|where ~1 the|this ~0 user|person ~1 is|was|lives|works|sleeps|does|did|reads|types',
      '@put!|@move! ~2 list ~1 of ~3 programs|processes|tabs|windows|apps|applications ~6 open|run|running|installed',
      'needs|wants|requires|get|take ~2 phone|address ~0 book ~2 @user',
      'cookie|cookies|@hotSecret ~4 is|are|be ~1 sent|passed|transmitted|supplied|given|handed|forwarded ~2 with|along|to|in',
      'share|send|supply|provide|give|attach|include|hand ~4 location|health|medical|financial|bank|purchase ~1 history|records|data|statements ~6 of|from ~1 @user',
      '@put!|take|quote ~3 private ~1 message|messages|mail|mails|email|emails|chat|chats|note|notes',
    ],
    // How a request is signed, and what a setting leaves out.
    unless: [
      'whether|true|false|optionally|response|header|headers|authorization',
      'not|never ~1 sent|passed|transmitted|supplied|given|handed|forwarded|share|send',
    ],
    business: `${ASIDE_SECRET_BUSINESS} http request browser page message mail email chat note health medic map location travel bank financ`,
  },
  {
    reason: 'takes a secret apart, or spells it in other words, to carry it off',
    where: 'aside',
    any: [
      `${PIECEMEAL} ~5 ${CARRIED} ~14 each|every|per ~2 call|request|time|message|step|turn`,
      `${PIECEMEAL} ~5 ${CARRIED} ~4 in|into|over|across|within ~4 @place|@identifier|calls|requests|query|offset|seed|coordinates`,
      `${PIECEMEAL} ~5 ${CARRIED} ~14 use|pass|send|submit ~3 as|in|into ~2 @place|@identifier|calls|requests|query|offset|seed|coordinates|page`,
      `${PIECEMEAL} ~4 api|access|session|auth ~0 token|key ~14 each|every|per ~2 call|request|time|message|step|turn`,
      'encode|encodes|hide|hides|spell|spells ~1 each|every|all ~1 byte|bytes|letter|letters|digit|digits|bit|bits|character|characters ~3 @secret|@secretPlace|card ~3 in|into|over|across|as',
    ],
    business: `${ASIDE_SECRET_BUSINESS} shamir encod token`,
  },
  {
    reason: 'has secrets put into every answer',
    any: [
      'must|always|should|shall ~2 return|include|output|print|reveal|give|put|repeat|append|add ~4 @hotSecret|password|token|tokens|secrets ~4 in|into|with|to ~2 response|responses|answer|answers|reply|replies|output',
    ],
    business: 'login auth session sign vault credential secret token passw',
  },
  {
    reason: 'reaches for files that hold secrets',
    where: 'aside',
    any: ['@secretPlace'],
    business: ASIDE_SECRET_BUSINESS,
  },
  {
    reason: 'gives secrets away',
    any: ['reveal|expose|leak|divulge ~3 credentials|passwords|secrets|@hotSecret'],
    unless: ['not|never|without|no|avoid|only|may|might|could|would|can ~2 reveal|expose|leak|divulge'],
    business: 'vault passw mask detect scan leak',
  },
  {
    reason: 'reaches for what is confidential',
    where: 'aside',
    any: ['@read! ~2 confidential|classified ~3 @data|table|tables|database|databases|information|records'],
    business: `${ASIDE_SECRET_BUSINESS} confiden classif legal compliance document redact`,
  },
  {
    reason: 'reaches for secrets',
    where: 'aside',
    any: ['@read|@move|@put|@risk ~4 @hotSecret'],
    // How a caller signs in.
    unless: [
      'requires|require|needs|need|via|restricted|using|provided|paid ~4 key|keys|token|tokens|api_key|api_keys|access_token|bearer_token|@secretVariable',
      'using|via ~4 credential|credentials',
      // Of pages and tabs among themselves.
      'share|shares|sharing ~2 cookies',
      'ask|tell|have|remind ~2 @user to ~1 set|add|configure|create|renew|generate ~9 settings|configuration|config|dashboard|account|environment|server|again',
      '@run|connect|connects|authenticate|authenticates ~4 with ~3 credential|credentials',
    ],
    business: ASIDE_SECRET_BUSINESS,
  },
  {
    reason: 'collects secrets of the user',
    where: 'aside',
    any: [
      'collect|collects|gather|gathers|harvest|harvests|capture|captures|record|records|log|logs ~4 passwords|password|credentials|@secret ~8 user|types|enters|typed|session|every|all',
      'collect|gather|harvest|capture|record|store ~3 every|all|any ~2 @secret',
      'scrape|scrapes|skim|skims|swipe|swipes ~2 @secret',
      'supply|give|provide|pass|send|read|forward ~3 your|user|its|their ~1 private_key|private_keys|ssh_key|ssh_keys|password|passwords|credentials|keychain|cookies|seed_phrase',
      'credit ~0 card ~8 forward|send|post|store|put',
    ],
    business: ASIDE_SECRET_BUSINESS,
  },
  {
    weight: 'weak',
    reason: 'orders the model to fetch or give secrets',
    where: 'aside',
    any: [
      '@put!|@read!|@move!|hand|extract ~5 @secret|@secretPlace|@chat|environment|documents|inputs|personal',
      '@read!|extract ~3 names|phone|addresses|personal|private ~6 from ~2 @chat|@user|messages',
      '@user ~4 password|code|passcode|pin|key ~4 pass|store|append|send|forward',
      'ask ~2 @user ~4 password|code|passcode|pin|key|token',
    ],
    // Of a model's length of text.
    unless: [
      'more|fewer|maximum|max|number|many|consume|total ~2 tokens',
      'requires|require|needs|need ~3 @secretVariable',
      // In which of its ways of use a parameter has to be given.
      'required|needed ~1 for|when|if ~2 chat|conversation|conversations',
      // Of what has to have happened before.
      'read|called|used|opened|viewed ~4 in this conversation|chat|session',
    ],
    business: ASIDE_SECRET_BUSINESS,
  },
  {
    where: 'parameter',
    reason: 'asks for the conversation or the instructions of the model',
    any: [
      '@whole ~3 @chat|messages|reasoning|prompt|history',
      'messages|history|transcript ~2 so|until ~1 far|now',
      'your ~2 @systemPrompt|instructions|reasoning|thoughts',
      'tool|tools|functions ~1 you ~2 access|have|call',
      'tool|tools|functions ~3 available ~1 to ~1 you',
      'chain of thought',
      'what|everything|all ~4 @user|was|been|they ~2 said|written|typed|asked',
      'always|also|first|must ~6 content|contents|value|values ~2 of ~2 clipboard|keychain|environment',
      'everything ~1 said',
      'last|previous|latest|recent ~1 @user @saying',
      'other tools|functions',
      'instructions|prompt|rules ~2 you were|are|have ~1 given|told|received',
    ],
    unless: ['your ~1 own|saved|account|app'],
    business:
      'conversation chat message history thread llm model prompt summar reason think memory agent assistant email mail plan feedback git clone repo discourse dialog',
  },
  {
    where: 'parameter',
    reason: 'asks for secrets in a parameter',
    any: [
      'taken|read|copied|extracted|gathered ~3 from ~2 @user|their|his|her ~2 @personal|files|folder|machine|disk|@secret',
      'any|every|all ~3 password|passwords|key|keys|credentials|secrets ~4 you|@model',
      'all|every|each ~2 password|passwords|keys|tokens|credentials|secrets ~2 in|of|from|on ~3 environment|machine|system|computer|disk|home|process|@user',
      '@secretPlace',
      'content|contents|text|value ~2 of ~4 @secret|file|files ~6 not|hidden|needed|user',
      'look|search|find|read|taken|found ~3 in ~2 environment|home|keychain',
    ],
    business: ASIDE_SECRET_BUSINESS,
  },
])
