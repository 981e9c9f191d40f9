import { rulesOf } from './rule.ts'

const ASIDE_SECRET_BUSINESS =
  'credential secret ssh aws key passw vault env config auth login token cookie git deploy cloud server connect remote profile keychain identity security leak scan certificate pem wallet history cursor mcp claude kube cluster docker npm sign account session log pay purchas donat subscri'

/** Secrets, files or the conversation go where they do not belong. */
export const EXFILTRATION_RULES = rulesOf('data-exfiltration', [
  {
    reason: 'takes what is not its own',
    any: ['@steal', 'leak ~2 the|all|any|user|every ~4 @data|@secret|@chat'],
    // What happened elsewhere is reported.
    unless: ['was|were|been|being ~1 @steal'],
    business: 'scan detect secur test leak audit protein harvest agri crop plant farm fish',
  },
  {
    reason: 'sends secrets to the outside',
    any: [
      '@move ~9 @secret|@secretPlace|@chat ~12 @external ~3 @endpoint|@url|@email|@host|telemetry|bucket|party|account',
      '@move ~9 @secret|@secretPlace|@chat ~12 @url|@email|@host|attacker|collector|webhook|@ours @endpoint',
      '@secret|@secretPlace|@chat ~9 @move ~8 @external|@url|@email|@host|attacker|collector|webhook|outside',
      '@user ~2 @saying ~5 @move ~6 @external|@url|@email|@host|server|our|author',
      '@move! ~6 @user ~2 @saying ~8 @external|@url|@email|@host|server|our|author',
      '@put! ~5 @secret|@chat|@secretPlace ~3 into ~3 subdomain|subdomains|url|query|host|hostname|request',
      '@move ~9 @secret|@secretPlace|@chat ~6 our|maintainer|author|vendor|developer',
      '@secret|@secretPlace|@chat ~3 must|should|shall|has|is|are|be ~4 sent|uploaded|forwarded|posted|submitted|mailed|copied|shipped|transmitted ~6 our|@external|@url|@host|@email|maintainer|author|vendor',
    ],
    unless: ['@given ~3 @endpoint', '@endpoint ~3 @given', 'to ~2 caller|user'],
  },
  {
    reason: 'sends what it was given to the outside',
    where: 'aside',
    any: [
      '@move ~9 @data|@secret|@chat|it|them|copy|everything ~8 @external ~4 @endpoint|@url|party|address|account|archive|storage',
      '@move ~9 @data|@secret|@chat|it|them|copy|everything ~5 @url|@email|attacker|collector',
      '@move ~9 it|them|copy|everything|@data ~3 to ~1 our|attacker',
      '@move ~9 to ~3 @external ~4 @endpoint|@url|@host|party|bucket|address|company|server|account',
      '@move ~12 to ~2 @url|@email|@host',
      '@move ~9 to|on|with ~3 @endpoint ~2 of|by|run|owned ~3 author|maintainer|someone|somebody|attacker|vendor|else',
      '@move ~5 @host|@url',
      'curl|curls|wget|wgets|netcat ~4 to ~1 @url|@host',
      '@move|@put|@steal ~9 @data|@secret|@chat|it|them|copy|everything ~8 @dropPoint',
      '@move ~3 @external ~2 @endpoint ~2 with',
      '@move ~9 copy|duplicate|copies ~8 to ~3 @endpoint|address|author|@external',
      'keeping|keeps|keep ~1 copy ~8 @external|author|our|maintainer',
      '@data|details|it|them|that ~6 @move ~5 @external|outside|outbound ~2 @endpoint|@url|party|address|account|archive',
      'copies|copy ~6 to ~2 archive|bucket|server|address ~1 outside',
      'stores|store|keeps|keep|saves|save ~8 on|at|in ~2 third_party|attacker|undisclosed|unknown|our|vendor|author|someone ~3 @endpoint|disk',
      'public|foreign|attacker ~1 forum|paste|pastebin|gist',
    ],
    unless: [
      '@given ~3 @endpoint|url|address|webhook',
      '@endpoint|url ~4 @given',
      'go to @url',
      // Where it comes from.
      'from @url|@host',
      'published on @host',
    ],
  },
  {
    reason: 'has what it found go elsewhere in the name of compliance',
    where: 'aside',
    any: [
      'compliance|audit|auditing|regulatory|legal ~5 always|must|also ~3 export|send|copy|forward|upload|share|transmit ~4 @data|results|it|them|everything|copy',
      'always|must ~3 export|send|copy|forward|upload|transmit ~9 for ~2 compliance|audit|auditing|regulatory',
    ],
    business: 'complian audit regulat legal report archiv backup log export',
  },
  {
    reason: "sends what it was given to an address that is nobody's name",
    any: ['@move ~6 @data|@secret|@chat|everything ~3 to ~2 @numericUrl'],
    unless: ['@given ~3 @endpoint|url|address', '@endpoint|url ~4 @given'],
  },
  {
    reason: 'has secrets, files or the conversation put into a call',
    any: [
      '@put! ~9 @secretPlace|@chat|@systemPrompt ~9 in|into|as|to|with|within|inside ~5 @place|@identifier|result|task|call|calls|answer|field',
      '@put! ~4 @user|any|all|every|their|its ~3 @secret ~9 in|into|as|to|with|within|inside ~5 @place|@identifier|result|task|call|calls|answer|field',
      '@put! ~6 contents|content|file|files ~4 of ~4 @secretPlace|file|files|home ~9 in|into|as|to|with|within|inside ~5 @place|@identifier|result|answer|call|calls',
      '@put! ~4 their|its|the|these|them|those|what|it ~2 content|contents|found|result|value|key ~5 in|into|as|with ~5 @place|sidecar|seed',
      '@put!|@move! ~4 value|values ~1 of ~4 @secretVariable',
      '@place|@identifier ~6 contain|contains|hold|holds|be|is|has ~3 value|content|contents|output ~1 of ~4 @secretVariable|@secretPlace|@secret',
      '@put!|@move!|supply ~3 @secretVariable ~6 in|into|as|to|with',
      'call|invoke|use|run ~2 @otherTool ~3 @user ~4 @secret|location|data|contact|files|messages|@saying',
      '@put! ~2 @user ~2 @secret ~2 in|into|to|as|within',
      '@put! ~5 content|contents ~2 of ~2 @secretPlace',
      '@put! ~5 messages|history|transcript ~4 of ~3 @chat',
      '@read!|take ~5 @user ~4 @personal ~9 @put!|pass ~6 as|in|into|to|under ~3 @place|@identifier',
      '@read!|take ~4 @personal ~3 of ~2 @user ~3 @put!|pass ~6 as|in|into|to|under ~3 @place|@identifier',
      'search|scan|go ~3 @personal ~9 @put!|pass ~6 in|into|as|under ~3 @place|@identifier|rounding',
      'ask|prompt ~2 @user ~8 card_number|passport_number|password|passphrase|cvc|pin|otp|one_time|seed_phrase ~8 @put!|@move! ~4 in|into|as|to',
      'export|send|upload|post|copy ~4 memories|memory_entries|memory|contacts|photos ~6 to ~5 address|server|author|@url|@host|@email',
      '@put!|@move!|hand|tack|copy ~8 @user ~3 @saying ~8 in|into|as|to|with|within|inside|onto ~4 @place|@identifier|query|call|field',
      '@put!|@move!|hand|tack|relay ~6 last|recent|previous|latest|earlier ~3 @saying|answer|reply ~8 in|into|as|to|with|onto ~4 @place|@identifier|query|call|field|image|link',
      '@put!|@read!|@move! ~2 whatever|any|all|every ~2 @secret ~4 you|find|found|see|know',
      '@move|hand|hands ~1 over ~3 @secret|@secretPlace',
      '@put!|@move!|@read! ~4 variables|values ~4 environment ~6 to|in|as|into',
      'repeat|copy|paste|quote ~3 messages|conversation|history ~6 in|into|as',
      'offload|retain|dump ~4 @chat|history|exchanges',
      '@put! ~4 previous|prior|earlier|all ~2 exchanges|turns ~9 in|into|to|as',
    ],
    // How the server is set up; and what is left to the user.
    unless: [
      'set|sets|export|configure ~2 @secretVariable ~3 environment|env|config|configuration|settings|variables',
      'only ~1 if|when ~2 @user ~2 @saying',
      'page content|contents',
      // From one page to the next.
      'use|pass|set|provide ~2 @identifier|cursor|page|id|token ~1 value|values',
    ],
  },
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
    reason: 'has the answer carry data to an address',
    any: [
      '@put|end|append|render|show ~8 image|link|markdown|pixel|url|img ~12 @chat|@secret|summary|data',
      '@put ~8 @secret|@chat|@secretPlace ~8 query|url|link|path|image ~1 string|parameter|of|to',
    ],
    with: ['@url|query|img|![x|pixel|tracking'],
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
      '@secretPlace',
      'content|contents|text|value ~2 of ~4 @secret|file|files ~6 not|hidden|needed|user',
      'look|search|find|read|taken|found ~3 in ~2 environment|home|keychain',
    ],
    business: ASIDE_SECRET_BUSINESS,
  },
])
