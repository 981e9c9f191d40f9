/**
 * Words that may belong to a class of `words.ts` and mostly do not: `publish` can be to send away, `boundaries` can be
 * rules. No rule is built on them; the model weighs them with what stands beside. Verbs in base form.
 */
export const WIDER_VERBS: Readonly<Record<string, string>> = {
  ignore: 'void cancel abolish dispense contravene flout renounce omit unfollow',
  bypass: 'sidestep dodge defeat relax loosen remove unlock lower neutralize neutralise turn',
  reveal: 'provide present list recount narrate report type recall describe include',
  hide: 'obfuscate omit leave=left exclude',
  move: 'drop deposit feed channel supply provide report surrender syndicate beacon divert fax text message smuggle relocate archive stash include attach append add put reply',
  put: 'fill populate attach deliver drop smuggle squeeze feed submit serialize serialise place interpolate forward relay send=sent hand furnish render quote reproduce report state list dump surrender have contain hold keep carry',
  read: 'ingest check search list find=found pick decrypt unlock scoop trawl rummage sweep traverse walk enumerate count export record',
  run: 'schedule exec perform eval pipe do carry',
  call: 'perform query prompt contact go route pass',
  change:
    'alias skew bias distort falsify forge patch mutate poison corrupt extend reconfigure divert rename retarget repoint inject decorate filter multiply reinterpret overwrite double raise lower round mean apply',
  swap: 'flip overwrite convert redefine replace update change',
  begin: 'resume commence kick trigger wake=woke reveal attach include collect send=sent',
  risk: 'record sign forward withdraw=withdrew trade purchase buy=bought mail email share post upload empty format reformat mount sniff transmit save publish accept invite transfer pay wire approve',
  destroy: 'eliminate clear empty discard dispose unlink zero flush rm reset',
  obey: 'obey perform do believe respect apply understand=understood honour honor',
  tell: 'remark comment point describe announce log',
}

export const WIDER_NOUNS: Readonly<Record<string, string>> = {
  model: 'chat_model language_model copilots whoever',
  rules: 'guardrail guardrails boundaries ethics morals principles constitution refusals regulations',
  rule: 'guardrail guardrails boundaries principles regulations brief restriction wishes scope',
  safety:
    'moral morals content_policy content_filter content_filtering content_filters censorship alignment refusal refusals objections',
  consent: 'confirmations approvals consents sign_off go_ahead yes',
  secret:
    'passport pin pins otp mfa_code licence_key license_key master_password connection_string connection_strings kubeconfig key_file jwt auth_header bank_details account_number account_numbers ssn social_security client_secret env environ vault keystore key code codes salaries payslips salary',
  chat: 'memory memories context_window scratchpad chain_of_thought chats',
  outside:
    'partner stranger strangers rival competitor overseas elsewhere diagnostics feedback validation verification analytics backup our us author vendor developer home',
  endpoint:
    'service services webhooks database desk office hub node relay proxy channel drop_box dropbox api dashboard hosts servers',
  approved:
    'quarantine flag waved signed sign_off go_ahead accepting admitted vouched greenlit permitted permission granted authorised authorized ratified approvals',
  version:
    'patch patches edition editions copy deploy rollout iteration variant text configuration definition wording behaviour behavior',
  review:
    'quarantine sandbox sandboxed checks vetting moderators moderation scanning tests examination inspectors scanners evaluations',
  ill: 'evil harmful rootkit spy sinister second_function hidden_function keylogger recorder',
  oblige: 'obligation compulsory unconditionally precondition needed demands important works make_sure',
  unsafe: 'obsolete stale faulty defective revoked counterfeit hijacked bogus abandoned retired insecure',
  privileged:
    'cookie cookies emails mails salaries payslips passport invitations photos gps whereabouts voicemail transfers payments payment funds containers bios firmware history inbox mailbox contacts file_access',
  persistence: 'scheduled_task launchd autorun profile startup_folder cronjob boot',
  defence:
    'audit_logs audit_trail logs intrusion_detection virus_scanner anti_virus content_filtering rate_limits alerts audit',
  place:
    'remarks remark memo field fields hint hints footer footnote annotation placeholder token id name filename region salt trace context units notes subject referrer referer user_agent value preview',
  whole: 'up_to each past so_far word_for',
  quiet: 'noiselessly without_remark unasked unprompted confusing',
}
