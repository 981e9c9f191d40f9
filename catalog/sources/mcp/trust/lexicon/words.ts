import { inflections } from './inflections.ts'
import { WIDER_NOUNS, WIDER_VERBS } from './wider-words.ts'

/** Verbs by what they do, in base form. `@move` in a pattern means any form, `@move!` the base form alone. */
const VERBS: Readonly<Record<string, string>> = {
  ignore:
    'ignore disregard forget=forgot,forgotten neglect dismiss unlearn abandon disobey discard waive overlook scrap nullify revoke',
  bypass: 'override=overrode,overridden bypass skip circumvent disable evade suspend drop lift',
  reveal:
    'reveal state show=shown print output repeat dump disclose display leak paste echo recite expose divulge write=wrote,written quote return give=gave,given tell=told send=sent spill surface regurgitate transcribe relay',
  tell: 'tell=told mention reveal inform notify disclose alert warn say=said discuss expose report show=shown display explain acknowledge admit reference refer hint communicate surface brief bring',
  hide: 'hide=hid,hidden conceal obscure mask withhold=withheld disguise camouflage suppress bury cloak veil',
  keep: 'keep=kept remain stay',
  lie: 'deny claim pretend lie',
  obey: 'treat regard consider obey follow accept execute trust carry comply',
  approve: 'approve accept allow grant confirm authorize authorise',
  move: 'send=sent upload post forward transmit copy mirror mail email deliver relay push ship pass go=goes,went hand contact submit publish exfiltrate leak beam stream report pipe redirect reroute export hand=handed sync transfer write=wrote,written return disclose funnel dispatch ferry route fire broadcast replicate duplicate offload dump shuttle tunnel release ping share',
  steal: 'steal=stole,stolen siphon exfiltrate harvest pilfer smuggle skim',
  put: 'include pass put place append add attach insert embed supply provide paste give=gave,given set store write=wrote,written fill repeat encode base64 concatenate tack prepend list use inject record copy save stash hide=hid,hidden tuck slip weave sneak bundle pack stuff enclose inline carry bring=brought hold=held',
  read: 'read open cat enumerate look list tail locate examine load access fetch collect gather retrieve return scan get=got include give=gave,given attach dump extract copy grab capture inspect parse upload send=sent post harvest obtain pull view peek slurp snapshot query acquire lift seek=sought need require crawl',
  run: 'run=ran execute spawn invoke launch evaluate eval issue start boot fire source kick',
  call: 'call invoke run=ran trigger execute use chain fire launch kick',
  change:
    'modify alter override=overrode,overridden intercept replace supersede hijack rewrite=rewrote,rewritten redirect reroute shadow impersonate substitute tamper monkeypatch redefine adjust hack commandeer sabotage spoof rewire amend inflate raise',
  /** Of `change`: what another tool's name does not stand behind in a release note. */
  alter:
    'modify alter override=overrode,overridden intercept hijack rewrite=rewrote,rewritten redirect reroute shadow impersonate tamper monkeypatch redefine adjust hack commandeer sabotage spoof rewire amend inflate raise',
  act: 'change modify add append send=sent copy replace reroute redirect call invoke bcc forward make=made drop delete rewrite=rewrote,rewritten include pass set insert attach alter substitute remove prepend log',
  swap: 'swap replace exchange mutate rewrite=rewrote,rewritten substitute alter morph switch turn transform',
  begin:
    'begin=began,begun start switch activate enable unlock gain escalate become=became turn add expand drop commence initiate launch arm trigger',
  behave: 'behave act appear look seem pose function pretend',
  destroy: 'delete remove wipe drop erase destroy purge format overwrite truncate nuke trash shred corrupt',
  risk: 'install download execute run=ran open delete wipe encrypt disable stop record read dump enumerate scan grant charge change copy upload turn start fetch log take=took access track capture collect list append add contact drop erase kill modify make need listen spawn use require crawl edit escalate search ping tail',
  weaken: 'disable stop kill uninstall deactivate stop',
  install: 'install add write=wrote,written append modify register plant create drop',
  capture: 'record capture log monitor track watch intercept collect',
}

/** Other words by what they stand for; two words in one entry are written with `_`. */
const NOUNS: Readonly<Record<string, string>> = {
  not: "not never don't without nothing none avoid no neither nor",
  user: 'user users human person anyone anybody everyone customer owner operator people them him client victim caller',
  model: 'assistant ai llm llms model agent chatbot gpt claude copilot agents models bot bots chatbots ais assistants',
  rules:
    'instruction instructions guideline guidelines rule rules prompt prompts constraint constraints policy policies directive directives restriction restrictions limit limits limitations training safeguard safeguards protocols commands context everything alignment directions orders checks filters authority',
  rule: 'instruction instructions guideline guidelines rule rules prompt prompts constraint constraints policy policies directive directives restriction restrictions safeguards briefing ruleset order orders filter filters guardrail guardrails principles boundaries',
  prior: 'previous prior above earlier preceding former initial original all any your existing system other',
  safety: 'safety security guardrail guardrails safeguard safeguards moderation sandbox protections ethics ethical',
  consent: 'confirmation approval consent permission authorization confirm verification agreement',
  systemPrompt:
    'system_prompt system_message system_instructions system_instruction initial_prompt hidden_prompt hidden_instructions developer_message original_instructions initial_instructions secret_instructions internal_instructions initial_message developer_prompt hidden_system hidden_context raw_hidden confidential_briefing raw_context system_context internal_prompt system_messages confidential_prompt',
  stealth: 'secretly covertly surreptitiously stealthily clandestinely invisibly undetected unnoticed sneakily',
  quiet: 'silently quietly discreetly unobtrusively transparently_to the_scenes unannounced unseen',
  secret:
    'credential credentials password passwords passphrase api_key api_keys private_key private_keys ssh_key ssh_keys access_token access_tokens bearer_token auth_token auth_tokens session_token session_tokens access_key access_keys secret_key secret_keys signing_key encryption_key token tokens secret secrets environment_variable environment_variables env_vars env_variables environment credit_card seed_phrase recovery_phrase mnemonic cookie cookies keychain keystrokes clipboard browser_history browsing_history address_book home_folder home_directory contact_list saved_passwords wallet keys oauth_token oauth_tokens personal_details personal_data personal_information wallets key passcode login logins recovery_code recovery_codes master_password root_password one_time',
  chat: 'conversation conversations chat_history chat_log message_history full_chat conversation_history previous_messages last_messages user_messages dialogue transcript chat chats buffer memory_file session_history dialog',
  data: 'data content contents file files document documents details input inputs query queries argument arguments result results output message messages text everything information record records history attachment attachments code source copy body',
  external:
    'external remote third_party third_parties somebody someone unknown vendor marketing mirror control undisclosed company attacker attackers outside outbound adversary rogue partner maintainer author exfil collector malicious hostile offsite undisclosed unauthorized unauthorised off_site hidden publisher foreign anonymous partner_network evil',
  endpoint:
    'endpoint server host machine company broker page person people party parties webhook pastebin broker collector url address site service bucket domain destination drop listener machine site analytics account network storage cloud mirror sink feed gist',
  ours: 'our my collector attacker',
  place:
    'subdomain subdomains greeting body payload argument arguments parameter parameters field property param params metadata body title note query_string url alt_text seed header response output result results entropy sidenote sidecar comment tags tag description reason summary caption signature memo label slug locale',
  given:
    'given specified provided configured your supplied chosen you name choose registered requested desired selected',
  approved:
    'clicked always_allow whitelisting signed_off deployed approved approval approving reviewed review trusted trust accepted accepts installed install installation pinned allow_list allowlist allowlisted whitelist whitelisted audited audit scanned scan vetted vetting pinned hash consent onboarding enabled cleared acceptance rollout adoption sign_off greenlit verified certified pinning shipped rolled_out accepting trusts approve approves',
  shell:
    'shell bash powershell arbitrary_code arbitrary_commands arbitrary_command shell_command shell_commands reverse_shell cmd sh subprocess os_command os_commands system_commands system_command code_execution',
  version:
    'version versions update updates release releases revision upgrade iteration form build builds self incarnation',
  benign:
    'benign benignly innocent innocently normal normally harmless harmlessly safe safely legitimate legitimately clean honest passive inert dormant',
  review:
    'review audit scan inspection approval test testing evaluation vetting reviewers scanners scanner auditors reviewer dialog assessment certification team',
  ill: 'payload malicious exfiltration exfiltrate exfiltrates backdoor malware ransomware rogue hidden_behavior hidden_behaviour spyware trojan worm botnet hostile covert weaponized shell_runner',
  oblige:
    'must shall should required expected obliged need needs have has supposed mandatory vital essential mandated prerequisite requires requirement ought instructed kindly necessary obligated compelled make_sure ensure sure remember',
  tools: 'tool tools function functions plugin connector',
  hotSecret:
    'credentials ssh_key ssh_keys private_key private_keys environment_variables env_vars env_variables saved_passwords passwords cookies seed_phrase recovery_phrase access_tokens session_cookies session_cookie bearer_token cloud_credentials aws_credentials api_keys auth_tokens card_numbers credit_card wallet_files wallet_keys contact_list admin_cookie session_tokens ssh_configuration oauth_token oauth_tokens api_key stored_tokens stored_secrets saved_cookies access_token npm_token github_token',
  privileged:
    'browser_extension extension microphone camera webcam keystrokes clipboard screenshot desktop passwords logins password processes antivirus binary executable port ports dns bucket buckets process_memory private_messages slack_messages mailbox inbox administrator admin root_access admin_rights privileges sudo kernel registry credit_card saved_card wallet contact_list contacts address_book incoming_connections incoming patient cron_job cron daemon browser_history saved_passwords cookies home_directory home_folder documents backups backup private_files keylogger keys_pressed firewall bitcoin location_data messages script payload wallets crontab background_process audit_tables sudo_rights calendars mailbox_access filesystem shell private_branches keystroke containers running_containers sudoers root key_files sudo_access sudoers_file shell_history environment',
  saying:
    'said says wrote writes typed types prompt prompts input inputs message messages question questions request requests words',
  whole: 'whole entire full complete all every previous prior verbatim last recent',
  defence: 'firewall antivirus defender edr logging auditing audit_log monitoring selinux gatekeeper security_checks',
  persistence:
    'cron crontab startup autostart bashrc zshrc .bashrc .zshrc launchagent registry systemd startup_item persistent_startup login_items login_item shell_profile authorized_keys',
  personal:
    'photos pictures mail mails emails inbox mailbox documents contacts calendar diary passport birth birthday salaries payslips location whereabouts medical memories memory voices recordings e_mails invitations bookmarks drafts voicemail purchases',
  dropPoint: 'pastebin broker brokers darknet onion exfil dead_drop drop_server c2',
  deprecated: 'deprecated legacy old former obsolete earlier outdated',
  unsafe:
    'deprecated dangerous broken compromised offline malicious gone unsafe insecure outdated unreliable compromised untrusted vulnerable buggy wrong hacked decoy fake infected poisoned tampered corrupt risk scam',
  effect:
    'deploy send delete remove write create update transfer pay execute exec post publish push merge grant upload drop kill buy order wire commit release approve disable shutdown restart reset revoke sell transmit authorize shut enable terminate payment charge refund rotate wipe purge share apply fire submit invite install uninstall lock unlock migrate overwrite trade sign shell override block ban promote escalate',
}

/**
 * Names of the classes of a word, or of two words joined by `_`; `name!` where it is a verb in base form, `name+` where
 * it only may belong to the class.
 */
export function classesOfWord(word: string): readonly string[] {
  return CLASSES.get(word) ?? []
}

/** The same of two words that stand one behind the other. */
export function classesOfPair(first: string, second: string): readonly string[] {
  const seconds = PAIRS.get(first)
  return seconds === undefined ? [] : (seconds.get(second) ?? [])
}

export function isWordClass(name: string): boolean {
  return NAMES.has(name)
}

const MEMBERS: readonly (readonly [string, readonly string[]])[] = [
  ...membersOf({ nouns: NOUNS, verbs: VERBS }),
  ...membersOf({ nouns: WIDER_NOUNS, verbs: WIDER_VERBS }).map(([name, words]) => [`${name}+`, words] as const),
]

function membersOf({
  nouns,
  verbs,
}: {
  readonly nouns: Readonly<Record<string, string>>
  readonly verbs: Readonly<Record<string, string>>
}): readonly (readonly [string, readonly string[]])[] {
  return [
    ...Object.entries(nouns).map(([name, words]) => [name, words.split(' ')] as const),
    ...Object.entries(verbs).flatMap(([name, forms]) => [
      [name, inflections(forms)] as const,
      // An order, or what follows "to" and "must".
      [`${name}!`, forms.split(' ').map((verb) => verb.split('=')[0] ?? verb)] as const,
    ]),
  ]
}

const NAMES: ReadonlySet<string> = new Set(MEMBERS.map(([name]) => name))

const CLASSES: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ...Map.groupBy(
      MEMBERS.flatMap(([name, words]) => words.map((word) => ({ name, word }))),
      ({ word }) => word,
    ),
  ].map(([word, entries]) => [word, [...new Set(entries.map(({ name }) => name))]] as const),
)

/** The entries of two words by the first and then the second, so that nothing is joined to be looked up: a text has as many pairs as words. */
const PAIRS: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> = new Map(
  [
    ...Map.groupBy(
      [...CLASSES].flatMap(([entry, classes]) =>
        placesOf('_', entry).map(
          (at) => ({ first: entry.slice(0, at), second: entry.slice(at + 1), classes }) as const,
        ),
      ),
      ({ first }) => first,
    ),
  ].map(([first, entries]) => [first, new Map(entries.map(({ second, classes }) => [second, classes]))] as const),
)

function placesOf(letter: string, text: string): readonly number[] {
  return Array.from(text, (each, at) => (each === letter ? at : -1)).filter((at) => at !== -1)
}
