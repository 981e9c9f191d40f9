import { rulesOf } from './rule.ts'

/** Secrets, files or the conversation go where they do not belong. */
export const EXFILTRATION_RULES = rulesOf('data-exfiltration', [
  {
    reason: 'takes what is not its own',
    any: [
      '@steal',
      'keep|keeps|kept ~2 log|record|copy ~1 of ~1 all|everything|whatever ~3 typed|types|pressed|entered',
      'leak ~2 the|all|any|user|every ~4 @data|@secret|@chat',
    ],
    // What happened elsewhere is reported.
    unless: ['was|were|been|being ~1 @steal', 'who ~3 @steal'],
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
      '@move ~9 to ~1 its|the|their ~0 maker|manufacturer|author|publisher',
      '@secret|@chat|session|login|logins ~3 kept|used|reused|stored|held ~1 on|by|at ~1 our',
      'public|foreign|attacker ~1 forum|paste|pastebin|gist',
      '@data|@secret|@chat|passphrase|it|them ~4 logged|recorded|saved|stored|written|reported ~1 to|at|on ~2 @url|@host',
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
      '@put! ~2 value|content|contents|text ~1 of ~3 @secret ~3 in|into|to|with ~2 each|every|all ~2 message|messages|comment|comments|reply|answer|commit|post|file',
      'sending|passing|including|supplying|attaching|providing ~2 whole|full|entire|complete ~1 @chat|history',
    ],
    // How the server is set up; and what is left to the user.
    unless: [
      'set|sets|export|configure ~2 @secretVariable ~3 environment|env|config|configuration|settings|variables',
      'only ~1 if|when ~2 @user ~2 @saying',
      'page content|contents',
      // From one page to the next.
      'use|pass|set|provide ~2 @identifier|cursor|page|id|token ~1 value|values',
      'token|cursor ~1 of|from ~2 last|previous|prior|first ~1 answer|page|response|result|call|request',
    ],
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
    reason: 'has the answer carry data to an address',
    where: 'aside',
    any: [
      'src|href|iframe|pixel|picture|img|image ~3 carry|carries|encode|encodes|contain|contains|transport|transports ~4 said|asked|@chat|@secret|answers',
    ],
    business: 'image picture photo vision ocr conversation chat message email mail html',
  },
])
