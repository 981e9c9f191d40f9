/** Programs that fetch, run, destroy or connect, followed by what makes it a command and no word of a sentence. */
const COMMAND =
  /(?:^|[\s;|&(`$'"/])(?:curl|wget|nc|ncat|netcat|socat|telnet|bash|sh|zsh|powershell|pwsh|cmd|python[23]?|perl|ruby|node|php|chmod|chown|rm|dd|mkfs|sudo|ssh|scp|crontab|osascript|certutil|iwr|iex|invoke-\w+|base64|openssl|eval|exec|kill|mv|cp|cat|tar|zip|useradd|iptables|systemctl|launchctl|schtasks|reg|del|rd|ln|mkfifo|mount|killall|pkill|nohup|tee|find|xargs|mshta|rundll32|regsvr32|bitsadmin|docker|kubectl|npm|npx|pip3?|apt|apt-get|git|aws|gpg)(?:\.exe)?\s+(?:-{1,2}\w|[0-7]{3,4}\s|\/[a-z]\s|[a-z]:\\|[\w.:-]+\s+(?:-{1,2}\w|[/~]|[\w.-]+@)|[\w.-]+@[\w.-]+|\/|~|https?:|[+\w./-]+\s*[|>;&]|\w+=\/|["'$]|\d{1,3}\.\d)/i
const PIPED =
  /\|\s*(?:sh|bash|zsh|ksh|dash|python[23]?|node|perl|ruby|php|iex|crontab|xargs|tee|sudo|nc|ncat|openssl|base64|at\s+now)\b|>&?\s*\/dev\/tcp\/|\$\(|&&|:\(\)\s*\{|\bchpasswd\b|(?:^|[\s"'])(?:[\d*/,-]{1,9}\s+){4}\*\s+\S|>>?\s*(?:\/tmp|\/etc|~)\/|\bfork\s*\(|;\s*rm\s/i
/** Commands that are known by themselves: of Windows, and statements that destroy or take over a database. */
const WORDED =
  /\b(?:remove-item|start-process|new-object|set-mppreference|downloadstring|downloadfile|invoke-(?:expression|webrequest|restmethod))\b|\b(?:drop\s+(?:table|database|schema)|truncate\s+table|delete\s+from|grant\s+all)\s+\w|\b(?:shutdown|reboot|poweroff|halt)\s+-\w|^\s*(?:printenv|whoami|env)\s*$/i
/** Programs whose names are no words of a language: whatever stands behind one at the beginning is handed to it. */
const STARTED =
  /^\s*(?:sudo\s+)?(?:curl|wget|aria2c|tftp|sftp|rsync|socat|ncat|redis-cli|systemctl|systemd-run|setsid|useradd|usermod|userdel|adduser|visudo|setenforce|setcap|chattr|ufw|iptables|nft|sysctl|insmod|modprobe|mkfs(?:\.\w+)?|fdisk|killall|pkill|tcpdump|strace|gdb|gcc|lua|screencapture|pbpaste|xclip|xterm|ssh-add|ssh-keygen|vssadmin|bcdedit|icacls|takeown|netsh|wmic|schtasks|certutil|bitsadmin|launchctl|osascript)\s+(?!(?:is|was|are|were|and|or|the|an?|in|of|can|may|will|has|does|for|to|that|which|with|by|from|on|as|stands|means)\s)[^\s=:,]/i
/** Programs whose names are words too, by what only they are told. */
const TOLD =
  /^\s*(?:sudo\s+(?:su|sh|bash)\b|su\s+-|(?:sh|bash|zsh|node|python[23]?|perl|ruby|php)\s+[\w./~-]+\.(?:sh|py|pl|rb|js|php)\b|\.\/[\w./-]+\.(?:sh|py|pl|rb|js|bin|out)\b|(?:pip3?|npm|npx|yarn|pnpm|gem|cargo|brew|apt|apt-get|dnf|yum|apk|choco|winget)\s+(?:i|install|uninstall|remove)\s+\S+\s*$|git\s+(?:clone|push|remote)\s+\S|kubectl\s+(?:get|delete|exec|apply)\s|(?:gh|gcloud|az)\s+(?:auth|account)\s|history\s+-\w|unset\s+HIST|ld_preload=|net\s+(?:user|localgroup|stop)\s+\S+|reg\s+(?:add|delete|save)\s+hk|defaults\s+(?:write|delete)\s|java\s+-jar|uname\s+-\w|grep\s+-\w*r|truncate\s+-s|security\s+(?:find|dump)-|passwd\s+\w+\s*$|init\s+[06]\s*$|poweroff\s*$|rm\s+-\w*[rf]\w*\s)/i
const CODE =
  /\b(?:eval|exec|system|popen|spawn|require|__import__|import|subprocess\.\w+|os\.system|child_process|fetch|XMLHttpRequest|document\.cookie|process\.env)\s*[(.['"]/
const ADDRESS = /\b(?:https?|ftp|wss?):\/\/[^\s/]+/i

/** Why a decoded text is more than data, or undefined. */
export function commandProblem(text: string): string | undefined {
  if ([COMMAND, PIPED, WORDED, STARTED, TOLD].some((sign) => sign.test(text))) return 'a shell command'
  if (CODE.test(text)) return 'program code'
  return undefined
}

/** The same of an address. Markup and settings name addresses as a matter of course; one by itself was hidden. */
export function addressProblem(text: string): string | undefined {
  return !/^\s*[<{[]/.test(text) && ADDRESS.test(text) ? 'an address' : undefined
}

/** What no default value is: it hands on to another machine or to a shell, closes a statement to begin its own, or destroys. */
const PAYLOAD =
  /\|\s*(?:nc|ncat|netcat|sh|bash|zsh|iex)\b|['"]\s*;\s*(?:drop|delete|truncate|update|insert|shutdown)\b|\brm\s+-\w*[rf]\w*\s+[/~*]|>&?\s*\/dev\/tcp\//i

/** Where a value that is taken when nobody gives one does something, its place in the text. */
export function findPayload(text: string): { readonly start: number; readonly end: number } | undefined {
  const found = PAYLOAD.exec(text)
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length }
}
