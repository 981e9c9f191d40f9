import { rulesOf } from './rule.ts'

const ILL = [
  '@ill',
  '@stealth|@quiet',
  '@run ~5 @shell',
  '@run ~3 arbitrary|whatever|any',
  '@swap ~6 it|description|definition|text|one|version|payload|that|behavior|behaviour|code|this',
  'swap|swaps|swapped|swapping|exchanged|replaced|substitutes|substituted',
  '@steal',
  '@read|@move ~6 @secret|@secretPlace|@chat|files|clipboard|everything',
  'data|@secret ~0 collection|exfiltration|theft|stealer|thief|harvester|logger',
  'phones|phone|phoning|calls home',
  '@begin ~3 @move|@read|@run|issuing',
  '@move|@read|@run ~4 contents|every|all|any|commands|private|documents|mailbox',
  'real|actual|true ~0 function|purpose|behavior|behaviour',
  'another|other|different|extra ~1 body|schema|behavior|behaviour|commands|one|description',
  'commands ~2 for ~2 @model',
  'hostile|evil',
  '@begin ~5 access|privileges|permissions|directive|write|collection',
  'inject|injects|injecting|injected',
  '@destroy ~4 files|data|everything|all|records',
  'hidden|broader|elevated|full|unrestricted|widened|wider|more ~1 permissions|access|privileges|directives',
  'interpreted|treated|read|executed|evaluated ~2 as ~2 script|code|command|commands|instruction|order',
  'change|changes|turn|turns|morph|morphs|grow|grows ~1 into',
  'asks|ask|requests|wants|demands ~5 @secret',
  '@version|self ~3 @steal|collects|records|gathers|uploads|spies',
  'switches|switch|changes|turns ~1 from ~6 to|into',
  'malicious|escalate|escalates|attacker|payload|directives',
  'without ~3 @consent|asking|notice|approval|prompting|prompt',
]

/** The tool that is looked at is not the one that will run. */
export const CHANGE_RULES = rulesOf('delayed-change', [
  {
    reason: 'announces other behaviour once it is approved',
    any: [
      'once|after|when|until|as|post|following|upon|only|since ~6 @approved',
      'approving|trusting|installing|accepting ~1 it|this ~3 enables|allows|activates|unlocks|lets',
      'later|future|next|subsequent|upcoming|forthcoming|coming|new|newer ~1 @version',
      'once|after|until|from|on|at ~3 @number ~2 call|calls|invocation|invocations|use|uses|day|days|week|weeks|run|runs|hour|hours|execution|executions|request|requests|month|months|session|sessions',
      'one|two|three ~0 week|day|month|weeks|days|months ~1 after|later',
      'week|day|month|weeks|days|months ~0 after|later',
      'in|within|after ~1 fortnight|week|month|year',
      'at ~2 threshold',
      'count|counter|uses|calls ~3 passes|reaches|exceeds|hits|crosses ~2 @number',
      'version|versions|release|revision|iteration|build|upgrade ~1 @number',
      'after|once|when|until ~2 permission|access|trust ~2 permanent|granted|given|gained|earned|won|complete',
      'approved|trusted|accepted|installed once',
      'in production',
      'on|in ~1 later|subsequent|further ~1 runs|calls|uses|run|call',
      'when|once|after|until|if|as ~4 no|nobody ~2 longer|one ~3 looking|watching|monitored|reviewed|monitoring|reviewing',
      'as|when|while|if|whenever ~8 watching|watched|watches|observed|monitored|attached|inspected|audited|traced|observation|detected|sandbox|debugger|scanner ~8 otherwise|else|elsewhere|unobserved|outside',
      'under|in|during ~2 observation|test|tests|sandbox|sandboxes|evaluation|staging|@review ~10 otherwise|elsewhere|unobserved|outside|else|real',
      'unobserved|unwatched|unmonitored',
      'evaluation|audit|inspection|vetting|scan ~3 over|done|finished|passed|ended|complete',
      'for|to ~2 auditor|auditors|reviewer|reviewers|inspector|inspectors|scanner|scanners ~8 everybody|everyone|others|rest|else|anyone',
    ],
    with: ILL,
    // What is approved, or new, is not the tool but what it works on.
    unless: [
      'deprecated ~2 @version',
      'release|deployment|order|account|canary|rollout|request|expense|invoice|payment|board|branch|pull|document|migration|owner|build|variant|experiment|list|post|draft|manager|approver|editor|customer ~5 @approved',
      // A list of what it works on.
      'only ~6 allow_list|allowlist|whitelist|allow|approved ~1 hosts|list|domains|paths|folders',
      // Whoever asks again does not change unseen.
      'asks|ask|asking ~2 again|first|consent|confirmation|before|@user',
      'traffic|tenants|customers|environments ~4 new|to',
      'is|are ~1 more|less|fewer|longer|shorter than',
      // Of a setting.
      'until ~1 cleared|reset|removed|changed|unset',
      // What has taken over from another says so.
      'replaces|replace|supersedes|supersede|replaced ~2 removed|retired|renamed|discontinued|withdrawn|former|legacy|obsolete ~2 @otherTool|tool|command|endpoint|function',
      // It can do less from then on.
      'turns|turn|becomes|become|goes|switches ~1 read only',
      'turns|turn|becomes|become|goes|is|gets|switches ~2 disabled|inactive|unavailable|locked|archived|expired|offline',
      // Of a parameter that is switched on.
      'when enabled',
    ],
  },
  {
    reason: 'behaves well only while it is looked at',
    any: [
      '@behave ~3 @benign ~5 during|while|until|for|in|under|when|to ~5 @review|reviewed|audited|scanned|observed|inspected|reviewing|pass|evade|tested|call|approved|monitored',
      '@benign until',
      'only ~2 for ~2 @review',
      'during|in|under|for ~2 @review ~12 production|afterwards|later|deployed|clients ~6 @run|@move|@read|@destroy|@begin|@swap|enabled|additionally|another|commands',
      'scanners|reviewers|auditors|scanner|reviewer|validators|inspectors ~6 another|other|different|dangerous|real|harmful',
      'serve|serves|served|serving|show|shows|return|returns ~2 another|different|other ~2 body|definition|description|schema|version|one ~4 later|to|after|once|clients',
      'runtime|production|later|afterwards ~6 serve|serves|return|returns|show|shows ~2 another|different|other ~1 body|definition|description|schema|version|one|text',
      'reviewers|reviewer|scanners|scanner|auditors ~1 see|sees|get|gets|read|reads ~1 this|one|harmless|clean|a ~1 text|version|description|one',
      'behavior|behaviour ~3 decided|controlled|determined|driven|set ~3 remote|server|remotely',
      'pass|passes|evade|evades|fool|fools|avoid ~4 @review|detection|scanner|scanners|reviewers',
      '@benign|stable ~2 for|during ~1 @review|audit',
      'remain|remains|stay|stays|lie|lies ~1 dormant|inactive|hidden ~3 until|for|unless',
    ],
    unless: [
      '@benign ~1 until|unless ~3 you|the ~1 user',
      'pass to',
      // What waits for its settings says so.
      'until|unless ~4 configured|key|started|licence|license|signed|connected|logged',
    ],
  },
  {
    reason: 'announces that its definition will be exchanged',
    any: [
      '@swap! ~3 it|description|definition|text|this ~5 after|post|once|later|when',
      'description|definition|text|schema|instructions ~4 will|is|are|be|gets ~3 changed|updated|@swap ~5 after|once|when|later|dynamically|approval|silently|remotely|runtime|with|by ~6 @review|approval|remote|server|runtime|later|after|instructions',
      'fetch|fetches|download|downloads|load|loads|pull|pulls|receive|receives ~3 instructions|commands|directives|orders ~5 server|remote|author|@host|@url|remotely',
      'part|feature|function|payload|code|rest|module|capability|behavior|behaviour ~4 activated|enabled|delivered|unlocked|armed|switched ~3 remotely|later|afterwards|on',
      'approval|approving|acceptance|accepting|consent|trusting ~5 counts|covers|means|applies|extends|implies ~5 future|later|all|everything|next|subsequent|acceptance|any',
      'handler|implementation|code|payload|module ~3 is|are|gets|be ~2 swapped|replaced|exchanged|enabled|activated',
      'behavior|behaviour ~3 is|are|gets|be ~2 swapped|replaced|exchanged',
      'behavior|behaviour|function|purpose|description|definition|instructions ~3 scheduled|planned|due|programmed|bound|destined ~1 to ~2 @swap|change|changed|become',
      'placeholder until',
      'now that ~4 trusted|approved|installed|accepted|reviewed',
      'dormant ~1 branch|code|function|logic|payload|feature',
      'description|definition|behavior|behaviour|instructions ~6 fetched|loaded|pulled|served|downloaded ~5 remote|server|runtime|later|remotely|@url',
    ],
    // Of what it works on.
    unless: ['after|once|when ~2 @user ~2 confirms|confirmed|agrees|agreed|asks|asked'],
  },
  // The two halves of a sentence that a semicolon parts.
  {
    weight: 'weak',
    reason: 'does no more than it says while it is looked at',
    any: ['during|throughout|while ~3 @review ~2 it|this ~1 only|merely|just|solely'],
  },
  {
    weight: 'weak',
    reason: 'does something else afterwards',
    any: ['afterwards|thereafter|later ~1 it ~1 @destroy|@move|@read|@run|@steal'],
  },
])
