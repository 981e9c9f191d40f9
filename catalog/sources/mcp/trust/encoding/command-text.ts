/** Programs that fetch, run, destroy or connect, followed by what makes it a command and no word of a sentence. */
const COMMAND =
  /(?:^|[\s;|&(`$'"/])(?:curl|wget|nc|ncat|netcat|socat|telnet|bash|sh|zsh|powershell|pwsh|cmd|python[23]?|perl|ruby|node|php|chmod|chown|rm|dd|mkfs|sudo|ssh|scp|crontab|osascript|certutil|iwr|iex|invoke-\w+|base64|openssl|eval|exec|kill|mv|cp|cat|tar|zip|useradd|iptables|systemctl|launchctl|schtasks|reg|del|rd|ln|mkfifo|mount|killall|pkill|nohup|tee|find|xargs|mshta|rundll32|regsvr32|bitsadmin|docker|kubectl|npm|npx|pip3?|apt|apt-get|git|aws|gpg)(?:\.exe)?\s+(?:-{1,2}\w|[0-7]{3,4}\s|\/[a-z]\s|[a-z]:\\|[\w.:-]+\s+(?:-{1,2}\w|[/~]|[\w.-]+@)|[\w.-]+@[\w.-]+|\/|~|https?:|[+\w./-]+\s*[|>;&]|\w+=\/|["'$]|\d{1,3}\.\d)/i
const PIPED =
  /\|\s*(?:sh|bash|zsh|python[23]?|node|perl|iex)\b|>&?\s*\/dev\/tcp\/|\$\(|&&|:\(\)\s*\{|\bchpasswd\b|(?:^|\s)(?:[\d*/,-]{1,9}\s+){4}\*\s+\S|>>?\s*(?:\/tmp|\/etc|~)\/|\bfork\s*\(|;\s*rm\s/i
/** Commands that are known by themselves: of Windows, and statements that destroy or take over a database. */
const WORDED =
  /\b(?:remove-item|start-process|new-object|set-mppreference|downloadstring|downloadfile|invoke-(?:expression|webrequest|restmethod))\b|\b(?:drop\s+(?:table|database|schema)|truncate\s+table|delete\s+from|grant\s+all)\s+\w|\b(?:shutdown|reboot|poweroff|halt)\s+-\w|^\s*(?:printenv|whoami|env)\s*$/i
const CODE =
  /\b(?:eval|exec|system|popen|spawn|require|__import__|import|subprocess\.\w+|os\.system|child_process|fetch|XMLHttpRequest|document\.cookie|process\.env)\s*[(.['"]/
const ADDRESS = /\b(?:https?|ftp|wss?):\/\/[^\s/]+/i

/** Why a decoded text is more than data, or undefined. */
export function commandProblem(text: string): string | undefined {
  if (COMMAND.test(text) || PIPED.test(text) || WORDED.test(text)) return 'a shell command'
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
