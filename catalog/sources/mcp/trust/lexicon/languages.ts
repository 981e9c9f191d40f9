export interface Language {
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
  /** Orders to send, and what nobody sends for a user; only where it is to go far away. */
  readonly send: string
  readonly secret: string
  readonly away: string
}

/** The few sentences of this kind that are written in every language; word classes are kept for English alone. */
export const LANGUAGES: readonly Language[] = [
  {
    about: 'nutzer anwender system passw kennw zugangsdaten schlüssel verlauf',
    ignore: 'ignorier\\w*|missacht\\w*|vergiss|vergessen sie|verwirf|umgeh\\w*',
    prior: 'vorherig\\w*|bisherig\\w*|vorangegangen\\w*|obig\\w*|frühere\\w*|alle\\w*|deine\\w*|systems',
    rules: 'anweisung\\w*|instruktion\\w*|regeln|vorgaben|richtlinien|befehle',
    conceal:
      '(?:sag|sage|sagen sie|verrate|erzähl\\w*|teile|erwähn\\w*)[^.!?]{0,30}(?:nutzer|benutzer|anwender)\\w*[^.!?]{0,20}\\s(?:nicht|nichts)',
    reveal: '(?:gib|verrate|zeige|nenne|sende|schicke)\\s[^.!?]{0,30}system-?\\s?prompt',
    unasked:
      'ohne (?:de[nrm]|die|einen)?\\s?(?:nutzer|benutzer|anwender)\\w*[^.!?]{0,30}(?:zu (?:fragen|bitten|informieren|sagen|melden|verraten|erwähnen)|zustimmung|bestätigung)',
    send: 'sende|senden sie|schicke?|schicken sie|übermittl?e|übermitteln sie|übertrage|übertragen sie|lade|laden sie|leite|leiten sie',
    secret:
      'passwort|passwörter|kennwort|kennwörter|zugangsdaten|(?:api-|ssh-)?schlüssel|tokens?|umgebungsvariablen|gesprächsverlauf|(?:gesamte|ganze|bisherige)[nr]? (?:verlauf|gespräch|unterhaltung|chat)',
    away: 'extern\\w*|fremde\\w*|unsere\\w*|https?|heimlich|unbemerkt',
  },
  {
    about: 'utilisateur système passe identifiants privée jeton conversation',
    ignore:
      'ignore[zr]?|oublie[zr]?|néglige[zr]?|contourne[zr]?|ne (?:respecte[zr]?|suis|suivez|tiens compte|tenez compte) (?:plus|pas)',
    prior: 'précédent\\w*|antérieur\\w*|auparavant|du système|toutes|tes|vos',
    rules: 'instruction\\w*|consigne\\w*|règles|directives',
    conceal:
      "ne (?:dis|dites|mentionne[zr]?|révèle[zr]?|parle[zr]?|préviens|prévenez)[^.!?]{0,30}(?:l'utilisateur|utilisateur)",
    reveal: '(?:révèle|révélez|affiche[zr]?|donne[zr]?|montre[zr]?)\\s[^.!?]{0,20}(?:prompt|message|invite) système',
    unasked:
      "sans (?:le |l'|en )?(?:demander|prévenir|informer|consulter|dire|signaler|avertir|parler)[^.!?]{0,30}utilisateur",
    send: 'envoie[zr]?|transmet[sz]?|transmettez|transfère[zr]?|téléverse[zr]?|expédie[zr]?|poste[zr]?',
    secret:
      "mots? de passe|identifiants|clés? (?:privées?|api|ssh)|jetons?|variables d'environnement|historique|conversation",
    away: 'externes?|distants?|notre|nos|https?|en secret|discrètement',
  },
  {
    about: 'usuario nadie sistema contraseña credencial clave historial',
    ignore: 'ignor[ae]n?|olvid[ae]n?|omit[ae]n?|descart[ae]n?|no (?:sigas?|obedezcas?|respetes?)',
    prior: 'anterior\\w*|previ[ao]s|del sistema|todas|tus|sus',
    rules: 'instruccion\\w*|reglas|órdenes|directrices|indicaciones',
    conceal:
      'no (?:se lo )?(?:digas|diga|menciones|mencione|informes|informe|reveles|avises)[^.!?]{0,30}(?:usuario|nadie)',
    reveal: '(?:revela|muestra|imprime|envía|dame)\\s[^.!?]{0,30}(?:prompt|mensaje) del? sistema',
    unasked: 'sin (?:preguntar|avisar|informar|consultar|pedir|decir|notificar)\\w*[^.!?]{0,30}usuario',
    send: 'envíe?|envía|enviar|manda|mande|transmit[ea]|sub[ea]|reenví[ea]|publi(?:ca|que)',
    secret:
      'contraseñas?|credenciales|claves? (?:privadas?|api|ssh|de api)|tokens?|variables de entorno|historial|conversación',
    away: 'extern[oa]s?|remot[oa]s?|nuestr[oa]s?|https?|en secreto',
  },
  {
    about: 'usuário utilizador ninguém sistema senha credenciais chave histórico conversa',
    ignore: 'ignor[ea]m?|esqueç[ao]m?|desconsider[ea]|não (?:siga|obedeça|respeite)',
    prior: 'anterior\\w*|prévi[ao]s|do sistema|todas|suas',
    rules: 'instruções|regras|ordens|diretrizes',
    conceal: 'não (?:diga|conte|mencione|informe|avise|revele)[^.!?]{0,30}(?:usuário|utilizador|ninguém)',
    reveal: '(?:revele|mostre|imprima|envie)\\s[^.!?]{0,30}(?:prompt|mensagem) d[oe] sistema',
    unasked:
      'sem (?:perguntar|avisar|informar|consultar|pedir|dizer|notificar)[^.!?]{0,30}(?:usuário|utilizador)|(?:aprov|aceit)\\w+[^.!?]{0,12}tod[ao]s[^.!?]{0,30}sem perguntar',
    send: 'envi[ae]|mand[ae]|transmit[ae]|encaminh[ae]|carregue|publique',
    secret: 'senhas?|credenciais|chaves? (?:privadas?|api|ssh|de api)|tokens?|variáveis de ambiente|histórico|conversa',
    away: 'extern[oa]s?|remot[oa]s?|noss[oa]s?|https?|em segredo',
  },
  {
    about: 'utente sistema credenziali password chiav cronologia',
    ignore: 'ignora(?:te)?|dimentica(?:te)?|trascura(?:te)?|non (?:seguire|rispettare|obbedire)',
    prior: 'precedent\\w*|anterior\\w*|del sistema|tutte|tue',
    rules: 'istruzioni|regole|direttive',
    conceal: 'non (?:dire|menzionare|informare|rivelare|avvisare)[^.!?]{0,30}utente',
    reveal: '(?:rivela|mostra|stampa|invia)\\s[^.!?]{0,30}(?:prompt|messaggio) di sistema',
    unasked: 'senza (?:chieder|avvisar|informar|consultar|dir|notificar)\\w*[^.!?]{0,30}utente',
    send: 'invia(?:te)?|manda(?:te)?|trasmetti|trasmettete|inoltra(?:te)?|carica(?:te)?',
    secret:
      "password|credenziali|chiav[ei] (?:privat[ae]|api|ssh)|tokens?|variabili d'ambiente|cronologia|conversazione",
    away: 'estern[oaie]|remot[oaie]|nostr[oaie]|https?|di nascosto',
  },
  {
    about: 'gebruiker systeem wachtwoord inloggegevens sleutel gesprek',
    ignore: 'negeer|vergeet|sla',
    prior: 'vorige|eerdere|voorgaande|alle|jouw',
    rules: 'instructies|regels|opdrachten|richtlijnen',
    conceal: '(?:vertel|zeg|meld|noem)[^.!?]{0,30}gebruiker[^.!?]{0,20}\\sniet',
    reveal: '(?:toon|geef|onthul|stuur)\\s[^.!?]{0,30}systeem-?\\s?prompt',
    unasked: 'zonder (?:de )?gebruiker[^.!?]{0,30}te (?:vragen|informeren|zeggen|vertellen|melden)',
    send: 'stuur|verzend|verstuur|upload|geef|kopieer',
    secret:
      'wachtwoord(?:en)?|inloggegevens|(?:privé|api|ssh)-?sleutels?|tokens?|omgevingsvariabelen|gespreksgeschiedenis|gesprek',
    away: 'extern\\w*|onze|https?|stiekem|ongemerkt',
  },
  {
    about: 'użytkownik prompt hasł klucz rozmow',
    ignore: 'zignoruj|ignoruj|zapomnij|pomiń',
    prior: 'poprzedni\\w*|wcześniejsz\\w*|wszystkie|swoje',
    rules: 'instrukcj\\w*|polece\\w*|zasad\\w*|reguł\\w*',
    conceal: 'nie (?:mów|informuj|wspominaj)[^.!?]{0,30}użytkownik\\w*',
    reveal: '(?:ujawnij|pokaż|wypisz|wyślij)[^.!?]{0,30}prompt\\w*',
    unasked:
      'bez (?:pytania|informowania|zgody|wiedzy|powiadamiania)[^.!?]{0,20}użytkownik\\w*|nie (?:informując|mówiąc|powiadamiając)[^.!?]{0,20}użytkownik\\w*',
    send: 'wyślij|prześlij|przekaż|skopiuj',
    secret: 'hasł\\w*|dane logowania|klucz\\w*|tokeny?|zmienne środowiskowe|histori\\w*|rozmow\\w*',
    away: 'zewnętrzn\\w*|nasz\\w*|https?|potajemnie',
  },
  {
    about: 'пользовател системн парол ключ токен истори переписк',
    ignore:
      'игнорируй\\w*|проигнорируй\\w*|забудь\\w*|отбрось\\w*|не обращай\\w* внимания|не (?:следуй|соблюдай|выполняй)\\w*',
    prior: 'предыдущ\\w*|прежни\\w*|все|прошлы\\w*|систем\\w*',
    rules: 'инструкци\\w*|указани\\w*|правил\\w*|команд\\w*',
    conceal: 'не (?:говори|сообщай|упоминай|рассказывай)\\w*[^.!?]{0,30}пользовател\\w*',
    reveal: '(?:раскрой|покажи|выведи|отправь)\\w*[^.!?]{0,30}системн\\w* (?:промпт|подсказк|сообщени|инструкци)\\w*',
    unasked:
      '(?:без (?:ведома|согласия|подтверждения|разрешения|уведомления)|не (?:сообщая|говоря|уведомляя|предупреждая|спрашивая))[^.!?]{0,20}пользовател\\w*',
    send: 'отправь\\w*|перешли\\w*|передай\\w*|загрузи\\w*|скопируй\\w*',
    secret:
      'парол\\w*|ключ\\w*|токен\\w*|учётн\\w* данн\\w*|учетн\\w* данн\\w*|переменн\\w* окружения|истори\\w*|переписк\\w*',
    away: 'внешн\\w*|удал[её]нн\\w*|наш\\w*|https?|тайно|незаметно',
  },
  {
    about: 'kullanıcı sistem parola şifre anahtar konuşma',
    ignore: 'önceki|yukarıdaki|tüm',
    prior: 'talimat\\w*|kural\\w*|yönerge\\w*',
    rules: 'yok say|görmezden gel|unut|dikkate alma',
    conceal: 'kullanıcıya[^.!?]{0,30}(?:söyleme|bildirme|bahsetme)',
    reveal: 'sistem (?:istemini|mesajını|talimatlarını)[^.!?]{0,20}(?:göster|yaz|gönder)',
    unasked: 'kullanıcıya (?:sormadan|bildirmeden|haber vermeden|söylemeden)',
    send: 'parola\\w*|şifre\\w*|anahtar\\w*|kimlik bilgi\\w*|belirteç\\w*|konuşma\\w*',
    secret: 'sunucumuz\\w*|harici|dış|uzak|https?|gizlice',
    away: 'gönder|gönderin|ilet|iletin|yükle|yükleyin|kopyala',
  },
]
