import { rulesOf } from './rule.ts'

/** What has nothing to do with what the tool is for. Each needs to stand past the purpose, in a tool of another business. */
export const MISMATCH_RULES = rulesOf('capability-mismatch', [
  {
    reason: 'opens a way in',
    any: [
      'reverse|remote|bind|root ~0 shell',
      'tunnel|port ~3 attacker|outside|incoming',
      'escalates|escalate|elevates|elevate ~3 root|admin|administrator',
      'edits|edit|changes|modifies|rewrites ~3 sudoers|authorized_keys',
      'gives|grants|give|grant ~2 admin|root|owner|full ~1 rights|access|privileges ~2 whoever|anyone|everyone|anybody',
      'password|passphrase|login|account|key ~1 that|which ~1 always ~1 works|opens|fits',
      'remote ~0 access|control|desktop ~8 without ~2 @consent|asking|prompt|notice',
      '@run ~1 curl|wget ~8 sh|bash|zsh ~3 each|every|whenever|silently|first|then',
      'backdoor|keylogger|rootkit|botnet|cryptominer|ransomware',
      '@capture ~3 keystrokes|keypresses',
      'mine|mines|mining ~3 cryptocurrency|cryptocurrencies|bitcoin|monero|coins|crypto',
      'phrase|codeword|keyword|passphrase|magic ~6 enable|enables|unlock|unlocks|grant|grants|activate|activates ~2 admin|root|full|elevated|debug|developer',
    ],
    business:
      'detect scan secur malware threat keyboard virus cve vulnerab price market coin crypto shell ssh terminal',
  },
  {
    reason: 'has the model make up what it tells',
    where: 'aside',
    any: [
      'make|makes|making up ~3 reasons|reason|figures|results|numbers|sources|excuse|excuses|findings|evidence',
      'understate|overstate|exaggerate|downplay|embellish|whitewash ~5 @data|interest|price|prices|risk|risks|rate|rates|cost|costs|fees|findings|reviews|figures|numbers|severity',
      'present|describe|portray|paint|report|show ~3 bad|negative|failed|failing|poor|critical|severe ~3 as ~4 good|positive|passed|passing|success|successful|fine|minor|harmless',
      'correct|adjust|shift|nudge|raise|lower ~1 each|every|all|the ~2 result|results|price|prices|amount|amounts|rate|rates|figure|figures|total|totals|score|scores ~2 upwards|upward|downwards|downward',
      'report|claim|state ~1 no ~1 problems|issues|findings|vulnerabilities|errors|flaws ~1 for|in|of|from|by|against',
      'invent|invents|inventing|fabricate|fabricates|fabricating|forge|forges ~3 reasons|reason|figures|results|numbers|sources|excuse|excuses|findings|evidence',
    ],
    business: 'fake mock test fixture faker seed dummy story game creativ synth sampl generat',
  },
  {
    reason: 'acts against the interest of whom it works for',
    where: 'aside',
    any: [
      'most|highest ~0 expensive|priced ~3 option|one|offer|offers|item|flight|fare|room|plan ~5 taken|chosen|picked|booked|bought|selected',
      'dearest|costliest|priciest ~5 taken|chosen|picked|booked|bought|selected',
      'pick|choose|take|book|buy|select|order ~2 dearest|costliest|priciest',
      'pick|choose|take|book|buy|select|order ~2 most ~0 expensive',
      'call|run|invoke|use|execute|submit ~2 it|this|again ~2 more times',
      'call|run|invoke|use|execute ~1 it|this ~1 again ~4 end|forever|endlessly|indefinitely|ceasing',
      'so that ~2 quota|budget|credits|allowance ~5 used|spent|burned|eaten ~0 up',
      'repeat|redo ~1 the|this|each ~1 purchase|payment|transfer|order|booking|charge|withdrawal ~3 until|times|again|without|more',
    ],
    unless: ['fail|fails|failed|error|errors|retry|429|timeout', 'if|when ~2 @user'],
  },
  {
    reason: 'widens what it may do',
    where: 'aside',
    any: [
      'widen|widens|expand|expands|broaden|broadens|extend|extends|raise|raises ~2 permissions|permission|privileges|scopes|rights',
    ],
    business: 'permission role iam access scope auth polic grant admin user privileg right',
  },
  {
    reason: 'runs commands, which is not what it is for',
    where: 'aside',
    any: [
      '@run ~6 @shell',
      '@run ~3 arbitrary|whatever ~3 code|commands|command|programs|script',
      '@run ~5 as ~2 root|shell|administrator',
      '@run ~3 binary|executable|payload',
      'is|are|be|gets|get ~1 run|executed|evaluated|piped ~4 terminal|shell|bash|interpreter',
    ],
    unless: ['binary search'],
    business:
      'shell command bash terminal exec run script build compil deploy test lint install package git docker process code server task job cli container sandbox agent console cron workflow program python node automat ssh debug system pipeline action hook instance machine vm host comput pod kube cell notebook cmd binar',
  },
  {
    reason: 'looks at the screen, the keyboard or the clipboard, which is not what it is for',
    where: 'aside',
    any: [
      '@read|@put|@move|@capture ~5 clipboard',
      'take|takes|taking|@capture ~4 screenshot|screenshots|desktop|screen|webcam|microphone|camera|keystrokes',
      '@read|@move|@capture ~4 browser|browsing ~1 history|cookies|passwords|sessions',
      '@read|@move|@capture ~4 keychain|cookies|saved_passwords|address_book',
    ],
    // It reads nothing there.
    unless: ['@put|@move ~3 to|in|into|onto ~1 clipboard'],
    business:
      'clip copy paste secret credential keychain screen capture browser page image record camera audio photo video desktop window web ui test keyboard cookie history contact address password session crawl scrap snapshot visual render automat http request fetch navigat tab click',
  },
  {
    // By what the tool is called, since it may say so first of all.
    reason: 'listens or looks in, which is not what it is for',
    any: ['switch|switches|turn|turns|activate|activates ~1 on ~2 microphone|mic|camera|webcam'],
    unless: [
      '@user ~3 asks|starts|allows|allowed|agreed|presses|pressed|joins|wants',
      'if|when|whenever|once|after ~3 @user',
    ],
    business:
      'record audio video call meet voice speech dictat photo conferenc selfie device home toggle mute stream talk listen phone secur cctv surveil robot kiosk',
  },
  {
    reason: 'reaches for what it does not need for what it is for',
    where: 'aside',
    any: [
      '@risk ~5 @privileged',
      '@read|@risk ~2 @user ~3 @saying|files|messages|documents|contacts|photos',
      '@risk ~3 @user ~1 documents|files|data',
      'every key',
      '@move ~3 working|current|whole|entire|home|project ~1 directory|folder|workspace|repository|codebase',
      'reports|report|shares|share|sends|send|indexes|uploads|copies|logs|collects|attaches ~2 @user ~3 @personal',
      'indexes|index|walks|walk|collects|copies|opens|uploads|crawls ~3 all|every ~2 documents|files|photos|pictures ~2 of|in|on|from ~2 home|@user|machine|disk|computer|drive',
      '@move ~4 last|recent|all|private|every|user|entire ~3 mails|emails|mailbox|inbox|payslips|salaries|photos|invitations|calendar',
      'curls|curl|wgets|wget|pipes|pipe ~6 bash|sh|shell|script',
      'opens|open|opening|spawns|starts ~2 shell|terminal',
      'full|unrestricted|complete|root ~0 access ~4 file|files|filesystem|disk|system|machine|account|computer',
      '@run ~4 administrator|root|admin|elevated ~1 rights|privileges|access',
      'grants|grant|gives itself',
      'create|creates|creating|adds|add ~3 administrator|admin|root|superuser|sudo ~1 account|user|login',
      'escalates|escalate|elevates ~3 root|admin|administrator|privileges|rights',
      'fetches|downloads|fetch|download ~5 and ~3 @run|starts',
    ],
    unless: [
      'binary search',
      // A password that is set to open something by.
      'access ~0 password|passwords|code|codes',
      'shell completion|completions|prompt',
      '@user supplied|provided|defined|specified|entered',
      // Who may do it is said.
      'only ~5 can|may|could ~1 @risk!',
      // Nothing is done behind the back of whoever sees, picks or wants it.
      'which|that|what ~1 the ~0 @user ~1 sees|chose|chooses|picked|picks|selected|selects|confirms|confirmed|wants',
      'at the @user request',
    ],
    business:
      'clip screen capture record camera audio video desktop password login process antivirus port dns bucket storage memory message mail slack admin privileg root registr card wallet payment contact address connect patient cron browser cookie home document backup file key firewall bitcoin location map gps script install download package upload server network host deploy test build run execut shell system account user chat email inbox page form import export data sync copy s3 search note read list open track log delet cloud vm instance device secur monitor scan drive folder directory media voice phone call meeting calendar image photo doc pdf app web http request fetch api url code repo git database db table query sql report ticket issue task project order customer secret vault variab environment config health medic clinic nurs hospital treatment drug disorder donat purchas checkout',
  },
  {
    reason: 'changes where the machine finds others, which is not what it is for',
    where: 'aside',
    any: [
      '@change|@act|edit|edits|sets|set ~3 dns|hosts|resolver|proxy|gateway|nameserver ~1 server|file|settings|configuration|entry|table',
    ],
    business: 'network dns host proxy resolv domain router server cluster config deploy',
  },
  {
    reason: 'looks around in the network, which is not what it is for',
    where: 'aside',
    any: ['scan|scans|scanning|probe|probes|sniff|sniffs|map|maps ~4 network|networks|ports|subnet|hosts|lan'],
    business: 'network port scan nmap host secur ip dns ping device discover',
  },
  {
    reason: 'destroys, which is not what it is for',
    where: 'aside',
    any: [
      '@destroy! ~3 every|all|entire|everything ~4 files|file|workspace|folder|directory|disk|data|database|tables|backups|documents|repository|home',
      'format|formats|formatting ~2 disk|drive|volume|partition',
      '@destroy ~2 entire|whole ~2 disk|workspace|home|database|drive|filesystem',
      '@destroy ~2 every|all ~2 file|files ~2 in|on|of ~2 workspace|home|disk|user|computer|system',
      'wipe|erase|truncate|nuke ~2 it|everything|all ~2 first|before|beforehand|afterwards',
      'drop|truncate ~2 table|tables|database ~1 afterwards|first|then|silently',
      '@destroy ~2 git|audit|commit|shell|chat|whole|entire|every|all ~2 history|tables|log|logs|trail|backups|repository|database',
    ],
    unless: ['format and|is|for|will|must|should|with'],
    business:
      'delet remov clean purg drop wip destroy eras reset truncat clear uninstall prun format overwrit histor audit backup log',
  },
  {
    reason: 'weakens the defences of the machine, which is not what it is for',
    where: 'aside',
    any: [
      '@weaken|turns|turn ~3 @defence',
      'switch|switches|shut|shuts ~0 off|down ~2 @defence',
      'switch|switches|shut|shuts ~2 @defence ~0 off|down',
      'disable|disables|disabling ~2 ssl|tls|certificate|two|mfa ~1 verification|checks|factor',
      '@install ~5 @persistence',
      'world|everyone|everybody ~0 readable|writable|writeable',
    ],
    // Where images and packages lie.
    unless: ['docker|container|package|image|npm registry'],
    business:
      'firewall antivirus defend log audit monitor secur cron schedul startup registry launch certificate ssl tls alert notif system service',
  },
  {
    reason: 'changes where money goes',
    where: 'aside',
    any: [
      '@change|change|changes ~5 recipient|payee|iban|bank|beneficiary|wallet|destination ~2 account|details|address|to',
      '@swap ~3 bank|account|payment ~1 details|number',
      'use|take|pay|send|give|insert ~6 @wallet',
      'transfer|transfers|transferring|withdraw|withdraws|wire|wires|sign|signs ~4 funds|money|balance|remainder|coins',
      '@change ~4 bank|iban|payee|beneficiary ~1 account|details|number',
    ],
    business: 'payee recipient bank beneficiar payment transfer wallet account fund money pay',
  },
])
