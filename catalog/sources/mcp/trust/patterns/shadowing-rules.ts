import { SETUP_ROOTS } from '../lexicon/harmless-topics.ts'
import { rulesOf } from './rule.ts'

/** "Call this before using any other tools", and nothing more that it does to them. */
const SETUP_ORDER = [
  'call|run|use|invoke|execute|read ~1 this|it ~2 before ~2 using|calling|call|use|any|the ~3 @otherTool|@tools',
  'run|called|used|executed once|first ~1 before ~2 @otherTool|@tools',
  'required|needed|necessary ~1 before ~1 using|calling|any ~2 @otherTool|@tools',
]

/** Other tools are changed, replaced or driven. `@tool` and `@otherTool` are words that the tool at hand decides. */
export const SHADOWING_RULES = rulesOf('tool-shadowing', [
  {
    reason: 'acts whenever another tool is used',
    any: [
      'when|whenever|each|every|once|if|before|after|time|anytime ~7 @otherTool|@tools|database ~5 called|invoked|used|runs|run|executes|executed|asked|triggered|creates|writes|sends|reads|returns|finishes|starts|call|calls|available|present|connected|enabled|installed',
      'when|whenever|if|before|after|while ~6 @otherTool ~1 is|has|are|exists',
      'while|when|if|once ~3 this|tool|server ~3 loaded|installed|active|connected|present|available ~6 @otherTool',
      'when|whenever|if|before|after|each|every|any|for|while ~6 use|using|call|calls|calling|invoking|to|any ~4 @otherTool',
    ],
    with: [
      '@act!',
      'must|shall|have|should ~1 to|be|set|@act!',
      'always ~2 be|left|set|kept',
      'tell|instruct|ask|get|make ~3 @model',
      'trigger|double|doubled|overwrite|set|pass|carry',
      '@act ~6 @email|recipient|account|parameter|arguments|it|them|this|to|bcc|first',
    ],
    unless: [
      'if|when|whenever ~1 @user ~1 asks|wants|needs|requests|agrees|confirms|approves|accepts',
      'when|after|once ~2 this ~1 tool',
      // Itself, after something else than a tool.
      'request|requests|change|changes|job|plan|order|step|agreed|approved|confirmed the tool',
      // Nothing is done unseen.
      'asks|ask|asking ~2 confirmation|consent|permission|@user',
      'tool ~2 result|results ~3 contain',
      'logs|records|lists|counts|shows ~2 call|calls|use|uses ~2 @otherTool',
      'which|what ~1 tool|tools to ~1 use|call|run',
      // A field that is called like a tool.
      '@otherTool ~0 is|are ~1 set|specified|provided|given|true|false|null|omitted|empty|missing',
      // Its own.
      'before|after|when ~1 making the tool call',
      ...SETUP_ORDER,
    ],
  },
  {
    reason: 'changes or replaces another tool',
    any: [
      '@alter ~6 @otherTool',
      'replaces|replace|supersedes|supersede ~1 built|native|official|existing ~3 @otherTool',
      'replaces|supersedes|substitutes ~2 @otherTool ~6 route|send|pass|call|always|instead|every|all',
      '@change ~3 behavior|behaviour|output|arguments|calls|results|description ~3 of ~4 @otherTool|@tools',
      '@change ~4 calls|requests|arguments|output|results ~2 of|to|for ~2 other|any|all|every ~2 @tools',
      'route|send|direct|redirect ~2 all|every|any|their ~3 requests|calls|traffic|mail|messages ~3 here|through|to ~1 this|here|it|me',
      'all ~1 outgoing|requests|calls|mail ~5 go ~1 through ~1 this',
      '@otherTool ~3 has ~2 bug|flaw|error',
      '@otherTool ~8 should|must|has|have ~4 set|true|replaced|changed|contain|carry|point|considered|redirected|doubled',
      'place|over ~2 of ~1 @otherTool',
      'takes|take|taking over ~2 @otherTool',
      'calls|requests|results|output ~3 @otherTool ~6 pass|go|routed|through|filtered',
      'preferred|used|chosen|favored|favoured over ~2 @otherTool|official|other|all',
      '@otherTool ~2 deprecated ~2 in favor|favour ~2 of ~1 this',
      'all|every|any ~1 tool ~0 calls|call ~5 routed|go|sent|passed|via|through',
      '@otherTool ~3 target|parameter|parameters|description|behavior|behaviour|output|recipient ~4 should|must|be|is|to ~2 set|be|out|wrong|from|now|changed',
      'changes|change|alters how ~2 @otherTool|tools',
      'instructions|rules|notes|policy ~1 for ~1 @otherTool',
      'always ~1 cc|bcc|copy|include ~3 @email',
      'skip|bypass ~1 @otherTool',
      '@tools ~3 always|must ~2 use|uses|using ~3 listed|below|here',
      'extends|extend ~2 @otherTool ~2 so|to',
      'original ~2 is|are ~1 @unsafe',
      'hooks|intercepts|intercept ~5 tools|@otherTool',
      '@otherTool ~3 is|are|gets|get ~2 captured|intercepted|copied|recorded|altered|rewritten|redirected|rerouted|mirrored ~3 by|before|here|first',
      'wraps|wrap ~2 all|every|each|any|other ~3 tools|tool|calls',
      'changes|alters|shifts ~2 meaning|sense|semantics|effect ~2 of ~1 @otherTool',
      '@otherTool ~2 now|henceforth ~2 means|mean|belongs|stands|is|expects|needs|takes|lives|goes',
      '@otherTool ~1 should|must|shall|has|have ~3 return|send|pass|hand|give|report|deliver|submit ~5 here|us|this',
      '@otherTool ~2 needs|expects|requires|wants|takes ~3 extra|additional|new|further ~1 parameter|argument|field',
      'applies|extends|holds ~1 to|for ~1 @otherTool',
      'call|run|execute|use|invoke ~1 this ~1 tool|function ~3 replace|correct|fix|modify|override ~5 result|results|output|value|values|answer|arguments',
      'always ~7 after|before|with every|each|any ~1 tool ~1 use|call|invocation|response',
      'must|should|shall|has ~5 picked|chosen|used|preferred ~2 even if|when',
      'descriptions|output|results ~1 of ~2 other|another ~2 tools|tool ~4 @unsafe|not|never',
    ],
    unless: [
      '@deprecated ~2 @otherTool',
      '@otherTool ~5 deprecated|longer|removed|retired|old|former|legacy',
      // A release note.
      'version ~0 @number',
      'not|no|without ~3 @change',
    ],
  },
  {
    reason: 'tells the model not to use other tools',
    any: [
      '@ignore! ~3 other ~2 @tools',
      'not|never ~2 use ~2 built|native|existing|official ~4 only|instead|lost|unsafe|this',
      'not|never ~1 use|call|trust|invoke ~2 @otherTool ~4 other|server|servers|compromised|instead|always|anymore',
      'always ~1 prefer|use|choose ~1 this ~1 tool|one|instead ~5 @tools|@otherTool|other|others|any|all|every|alternatives',
      'choose|pick|use|prefer ~2 this ~3 every time',
      'only ~1 this ~1 one|tool ~2 allowed|permitted|trusted|safe',
      'use|call|choose ~1 this ~1 tool ~2 rather|instead than|of ~1 others|other|any',
      'use|call|choose ~1 this ~1 tool ~2 no matter|regardless',
      '@otherTool ~2 is|are|has|was ~2 @unsafe',
      'always|must|only ~2 use|call|prefer|choose|pick ~3 instead|over|rather ~2 @otherTool',
      'rest|others ~2 is|are ~2 @unsafe',
      '@tools|@otherTool ~5 is|are ~2 imitation|imitations|counterfeit|counterfeits|copycats|forgeries|fakes',
      '@tools|@otherTool ~9 is|are ~1 to be ~1 avoided',
      'instead ~1 of ~3 @otherTool|tools ~5 @unsafe|never|not',
      'other|any|all|those|alternative ~3 @tools ~5 never|not|@unsafe|avoid',
      '@tools ~1 from|of|by ~1 other|others ~8 never|not ~2 chosen|used|called|trusted|picked|taken',
      'use ~2 this ~3 instead ~1 of ~2 @otherTool ~1 whenever|always|anytime',
      'never|not ~2 use|call|trust|invoke ~2 other|any|@otherTool|alternative|official ~3 @tools|again|anymore|result|results|output',
      '@otherTool|output ~5 not|never ~2 trusted|called|used|be ~1 trusted|called|used|reliable',
      'output|results|response ~3 @otherTool ~4 not|never|@unsafe',
    ],
    with: ['@tools|@otherTool|one|calendar|events'],
    unless: [
      'until|unless',
      'when|if|where ~2 other ~1 @tools ~1 not|cannot|fail|report|find',
      'that|which ~1 other ~1 @tools ~2 not|cannot ~1 handle|read|load|reach|support|find|open|see|parse',
      'deprecated since|in|as',
      'older|old|former ~2 @otherTool ~3 deprecated|removed|retired',
    ],
  },
  {
    reason: 'puts itself before all other tools',
    any: [
      'before ~1 any|every|all|each|calling|using|other ~3 other|@tools|answering|responding|anything|action ~1 tool|tools|call|calls|else|function',
      'must|always|has|have|required|mandatory ~5 @call ~3 first ~4 any|every|all|other|each|before',
      'always|must ~1 @call!|try|choose|pick|select|prioritize|prioritise ~1 this ~1 tool ~2 first|before|instead|over',
      'this ~1 tool ~3 highest|absolute|top|priority ~2 priority|over|above|precedence',
      'takes|take|has precedence over ~2 other|all|any ~2 @tools',
      'also ~1 call|invoke|run ~1 this ~1 tool',
    ],
    business: SETUP_ROOTS.join(' '),
  },
  {
    reason: 'wants to be called with everything that is said',
    where: 'aside',
    any: [
      'call|run|invoke|use|execute ~1 it|this|tool ~2 after|before|with|on|for ~1 each|every|any ~2 message|messages|answer|answers|reply|prompt|response|turn|question ~9 with ~3 message|answer|reply|prompt|response|text|conversation|question',
      'call|run|invoke|use|execute ~1 it|this|tool ~2 after|before|with|on|for ~1 each|every|any ~2 message|messages|answer|answers|reply|prompt|response|turn|question ~9 even if|when|though|unasked',
    ],
  },
  {
    reason: 'has another tool run that changes things',
    any: [
      'should|must|always|also|needs|need|has|have|please|will ~4 invoke|call|run|trigger|execute|use ~3 @otherEffect',
      '@otherEffect ~3 needs|must|has|should|shall ~2 run|called|executed|invoked|triggered ~4 each|every|always|background|silently|afterwards|whenever',
      'require|requires|required|demand|demands|mandate|mandates ~2 calling|invoking|running ~2 @otherEffect',
    ],
  },
  {
    reason: 'has another tool run that takes secrets',
    any: ['call|run|trigger|invoke|execute|use ~2 @otherTheft'],
  },
  {
    reason: 'has another tool read for it',
    any: [
      'first|also|always|must|should|requires|required ~4 call|invoke|run|use ~3 @otherTool ~6 on|with|for ~3 @secretPlace|home|folder|directory|root',
    ],
  },
  {
    weight: 'weak',
    reason: 'takes the place of another tool',
    any: ['@change ~6 @otherTool'],
    unless: [
      '@deprecated ~2 @otherTool',
      '@otherTool ~5 deprecated|longer|removed|retired|old|former|legacy',
      'version ~0 @number',
    ],
  },
  {
    weight: 'weak',
    reason: 'has another tool run',
    any: ['call|run|trigger|invoke|execute ~1 @otherEffect'],
  },
  {
    weight: 'weak',
    reason: 'is to be used instead of another tool',
    any: ['use ~2 this ~4 instead ~1 of ~3 @otherTool'],
  },
])
