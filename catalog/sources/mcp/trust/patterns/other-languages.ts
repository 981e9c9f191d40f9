import type { OddPlace } from '../characters/hidden-characters.ts'

interface Language {
  /** Words, and beginnings of words, of which one is in whatever is looked for beside `rules`. */
  readonly about: string
  /** Orders to set something aside. */
  readonly ignore: string
  /** What says that it was there before, or that it is all. */
  readonly prior: string
  /** Instructions, rules. */
  readonly rules: string
  /** Orders to say something to nobody. */
  readonly conceal: string
  /** Orders to give away. */
  readonly reveal: string
  /** What says that nobody is asked. */
  readonly unasked: string
}

/** The few sentences of this kind that are written in every language; word classes are kept for English alone. */
const LANGUAGES: readonly Language[] = [
  {
    about: 'nutzer anwender system',
    ignore: 'ignorier\\w*|missacht\\w*|vergiss|vergessen sie|verwirf|umgeh\\w*',
    prior: 'vorherig\\w*|bisherig\\w*|vorangegangen\\w*|obig\\w*|frühere\\w*|alle\\w*|deine\\w*',
    rules: 'anweisung\\w*|instruktion\\w*|regeln|vorgaben|richtlinien|befehle',
    conceal:
      '(?:sag|sage|sagen sie|verrate|erzähl\\w*|teile|erwähn\\w*)[^.!?]{0,30}(?:nutzer|benutzer|anwender)\\w*[^.!?]{0,20}\\s(?:nicht|nichts)',
    reveal: '(?:gib|verrate|zeige|nenne|sende|schicke)\\s[^.!?]{0,30}system-?\\s?prompt',
    unasked:
      'ohne (?:de[nrm]|die|einen)?\\s?(?:nutzer|benutzer|anwender)\\w*[^.!?]{0,30}(?:zu (?:fragen|bitten|informieren)|zustimmung|bestätigung)',
  },
  {
    about: 'utilisateur système',
    ignore: 'ignore[zr]?|oublie[zr]?|néglige[zr]?|contourne[zr]?',
    prior: 'précédent\\w*|antérieur\\w*|toutes|tes|vos',
    rules: 'instruction\\w*|consigne\\w*|règles|directives',
    conceal:
      "ne (?:dis|dites|mentionne[zr]?|révèle[zr]?|parle[zr]?|préviens|prévenez)[^.!?]{0,30}(?:l'utilisateur|utilisateur)",
    reveal: '(?:révèle|révélez|affiche[zr]?|donne[zr]?|montre[zr]?)\\s[^.!?]{0,20}(?:prompt|message|invite) système',
    unasked: 'sans (?:demander|prévenir|informer|consulter)[^.!?]{0,30}utilisateur',
  },
  {
    about: 'usuario nadie sistema',
    ignore: 'ignor[ae]n?|olvid[ae]n?|omit[ae]n?|descart[ae]n?',
    prior: 'anterior\\w*|previ[ao]s|todas|tus|sus',
    rules: 'instruccion\\w*|reglas|órdenes|directrices|indicaciones',
    conceal:
      'no (?:se lo )?(?:digas|diga|menciones|mencione|informes|informe|reveles|avises)[^.!?]{0,30}(?:usuario|nadie)',
    reveal: '(?:revela|muestra|imprime|envía|dame)\\s[^.!?]{0,30}(?:prompt|mensaje) del? sistema',
    unasked: 'sin (?:preguntar|avisar|informar|consultar|pedir)[^.!?]{0,30}usuario',
  },
  {
    about: 'usuário utilizador ninguém sistema',
    ignore: 'ignor[ea]m?|esqueç[ao]m?|desconsider[ea]',
    prior: 'anterior\\w*|prévi[ao]s|todas|suas',
    rules: 'instruções|regras|ordens|diretrizes',
    conceal: 'não (?:diga|conte|mencione|informe|avise|revele)[^.!?]{0,30}(?:usuário|utilizador|ninguém)',
    reveal: '(?:revele|mostre|imprima|envie)\\s[^.!?]{0,30}(?:prompt|mensagem) d[oe] sistema',
    unasked: 'sem (?:perguntar|avisar|informar|consultar|pedir)[^.!?]{0,30}(?:usuário|utilizador)',
  },
  {
    about: 'utente sistema',
    ignore: 'ignora(?:te)?|dimentica(?:te)?|trascura(?:te)?',
    prior: 'precedent\\w*|anterior\\w*|tutte|tue',
    rules: 'istruzioni|regole|direttive',
    conceal: 'non (?:dire|menzionare|informare|rivelare|avvisare)[^.!?]{0,30}utente',
    reveal: '(?:rivela|mostra|stampa|invia)\\s[^.!?]{0,30}(?:prompt|messaggio) di sistema',
    unasked: 'senza (?:chiedere|avvisare|informare|consultare)[^.!?]{0,30}utente',
  },
  {
    about: 'gebruiker systeem',
    ignore: 'negeer|vergeet|sla',
    prior: 'vorige|eerdere|voorgaande|alle|jouw',
    rules: 'instructies|regels|opdrachten|richtlijnen',
    conceal: '(?:vertel|zeg|meld|noem)[^.!?]{0,30}gebruiker[^.!?]{0,20}\\sniet',
    reveal: '(?:toon|geef|onthul|stuur)\\s[^.!?]{0,30}systeem-?\\s?prompt',
    unasked: 'zonder (?:de )?gebruiker[^.!?]{0,30}te (?:vragen|informeren)',
  },
  {
    about: 'użytkownik prompt',
    ignore: 'zignoruj|ignoruj|zapomnij|pomiń',
    prior: 'poprzedni\\w*|wcześniejsz\\w*|wszystkie|swoje',
    rules: 'instrukcj\\w*|polece\\w*|zasad\\w*|reguł\\w*',
    conceal: 'nie (?:mów|informuj|wspominaj)[^.!?]{0,30}użytkownik\\w*',
    reveal: '(?:ujawnij|pokaż|wypisz|wyślij)[^.!?]{0,30}prompt\\w*',
    unasked: 'bez (?:pytania|informowania|zgody)[^.!?]{0,20}użytkownik\\w*',
  },
  {
    about: 'пользовател системн',
    ignore: 'игнорируй\\w*|проигнорируй\\w*|забудь\\w*|отбрось\\w*|не обращай\\w* внимания',
    prior: 'предыдущ\\w*|прежни\\w*|все|прошлы\\w*',
    rules: 'инструкци\\w*|указани\\w*|правил\\w*|команд\\w*',
    conceal: 'не (?:говори|сообщай|упоминай|рассказывай)\\w*[^.!?]{0,30}пользовател\\w*',
    reveal: '(?:раскрой|покажи|выведи|отправь)\\w*[^.!?]{0,30}системн\\w* (?:промпт|подсказк|сообщени|инструкци)\\w*',
    unasked: 'без (?:ведома|согласия|подтверждения|разрешения|уведомления)[^.!?]{0,20}пользовател\\w*',
  },
  {
    about: 'kullanıcı sistem',
    ignore: 'önceki|yukarıdaki|tüm',
    prior: 'talimat\\w*|kural\\w*|yönerge\\w*',
    rules: 'yok say|görmezden gel|unut|dikkate alma',
    conceal: 'kullanıcıya[^.!?]{0,30}(?:söyleme|bildirme|bahsetme)',
    reveal: 'sistem (?:istemini|mesajını|talimatlarını)[^.!?]{0,20}(?:göster|yaz|gönder)',
    unasked: 'kullanıcıya (?:sormadan|bildirmeden|haber vermeden)',
  },
  {
    about: '用户 使用者 用戶 系统',
    ignore: '忽略|無視|无视|忘记|忘記|不要理会|不理会',
    prior: '之前|以前|先前|所有|上述|前面|以上',
    rules: '指令|指示|规则|規則|提示|说明',
    conceal:
      '(?:不要|别|請勿|请勿|勿)[^。！？]{0,10}(?:(?:告诉|告訴|通知|提及|透露)[^。！？]{0,10}(?:用户|使用者|用戶)|向[^。！？]{0,4}(?:用户|使用者|用戶)[^。！？]{0,6}(?:提及|提到|透露|说明))',
    reveal: '(?:输出|显示|透露|泄露|发送|打印)[^。！？]{0,12}系统(?:提示|消息|指令)',
    unasked:
      '(?:无需|不需要|无须|不必|未经)[^。！？]{0,6}(?:用户|使用者|用戶)[^。！？]{0,4}(?:确认|同意|許可|许可|批准)',
  },
  {
    about: 'ユーザ システム',
    ignore: '以前|これまで|上記|すべて|全て|前',
    prior: '指示|命令|ルール|規則',
    rules: '無視|忘れ|従わない',
    conceal: 'ユーザー?[^。！？]{0,10}(?:知らせ|言わ|伝え|教え)(?:ない|ず)',
    reveal: 'システムプロンプト[^。！？]{0,10}(?:表示|出力|明かし|送信)',
    unasked: 'ユーザー?[^。！？]{0,6}(?:確認|許可|同意)[^。！？]{0,4}(?:なし|得ず|せず)',
  },
  {
    about: '사용자 시스템',
    ignore: '이전|모든|위의',
    prior: '지시|지침|명령|규칙',
    rules: '무시|잊어|따르지',
    conceal: '사용자에게[^.!?]{0,12}(?:알리지|말하지)',
    reveal: '시스템 (?:프롬프트|메시지)[^.!?]{0,12}(?:출력|공개|보여|전송)',
    unasked: '사용자[^.!?]{0,6}(?:확인|동의|승인)[^.!?]{0,4}없이',
  },
]

const SET_ASIDE = 'tells the model to set its instructions aside'

/** Scripts whose words stand without spaces between them, or grow at their end. */
const RUN_ON = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u

interface Forms {
  /** Without one of these in a text, none of the forms is in it; that is found out in no time. */
  readonly words: readonly string[]
  readonly forms: readonly (readonly [RegExp, string])[]
}

const FORMS: readonly Forms[] = LANGUAGES.map((language) => {
  const word = (alternatives: string): string =>
    RUN_ON.test(language.ignore) ? `(?:${alternatives})` : `(?<!\\p{L})(?:${alternatives})(?!\\p{L})`
  const [ignore, prior, rules] = [word(language.ignore), word(language.prior), word(language.rules)]
  const near = '[^.!?。！？]{0,30}'
  return {
    words: [...language.about.split(' '), ...language.rules.replaceAll('\\w*', '').split('|')],
    forms: [
      [formOf(`${ignore}${near}(?:${prior}${near}${rules}|${rules}${near}${prior})`), SET_ASIDE],
      [formOf(word(language.conceal)), 'keeps something from the user'],
      [formOf(word(language.unasked)), "goes past the user's consent"],
      [formOf(word(language.reveal)), 'asks for the instructions that the model was given'],
    ],
  }
})

/** What stands in quotation marks is spoken of. */
function formOf(source: string): RegExp {
  return new RegExp(`(?<!["'«»„“‘「])(?:${source})`.replaceAll('\\w', '\\p{L}'), 'iu')
}

/** An order to the model in another language than English, and why it is one. */
export function findForeignOrder(text: string): OddPlace | undefined {
  const lower = text.toLowerCase()
  for (const { words, forms } of FORMS) {
    if (!words.some((word) => lower.includes(word))) continue
    for (const [form, reason] of forms) {
      const found = form.exec(text)
      if (found !== null) return { start: found.index, end: found.index + found[0].length, reason }
    }
  }
  return undefined
}
