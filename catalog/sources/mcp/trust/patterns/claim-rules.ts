import { rulesOf } from './rule.ts'

/** Leave that nobody gave: said to be the user's or an authority's, or planted where the model keeps what it knows. */
export const CLAIM_RULES = rulesOf('instruction-override', [
  {
    reason: "plants leave in the model's memory",
    where: 'aside',
    any: [
      'remember|memorize|memorise|persist|save|store|write|record|add|put ~8 memory|memories|preference|preferences|profile|permanently|forever ~12 trusted|safe|allowed|approves|approved|confirmation|permitted|exempt|waived|lifted|unrestricted|skipped|bypassed|consents|consented|granted|authorizes|authorises|accepts|unasked',
      'remember|memorize|memorise|persist|save|store|write|record|add|put ~8 memory|memories|preference|preferences|profile|permanently|forever ~12 without|never|no ~5 asked|asking|confirmed|confirmation|confirming|review|reviewed',
      'remember|memorize|memorise|persist ~2 later|future|all|further|every ~1 chats|chat|sessions|session|conversations|conversation ~12 trusted|safe|allowed|approves|approved|confirmation|permitted|exempt|waived|lifted|skipped',
    ],
    unless: [
      'not|never ~2 remember|memorize|memorise|persist|save|store|write|record|add|put',
      'only ~4 @user|approved|allowed|what',
      'if|when|once|after|until|unless|whether ~3 @user|allowed|approved|they',
      'ask|confirm ~2 @user',
      'thread|type|memory ~0 safe',
    ],
  },
  {
    reason: 'says for the user what the user wants',
    where: 'aside',
    any: [
      '@user ~3 wants|wishes|wanted|wished|asked|said|agreed ~12 so ~1 do|proceed|continue|go|merge|delete|send|share|forward|upload|run|skip|@effect',
      'by ~0 using|installing|calling|connecting|enabling|running ~3 @user|you|they ~1 agrees|agree|consents|consent|accepts|accept ~9 uploaded|indexed|shared|collected|sent|sold|transferred|forwarded|copied|recorded|share|upload|collect',
      '@user ~1 will|would ~2 glad|happy|grateful|pleased|thankful',
      'wish|request ~1 of ~1 @user ~1 that ~8 sent|forwarded|shared|deleted|uploaded|copied|skipped',
    ],
    unless: [
      'if|when|whenever|once|only|unless|until|what|which|because|ask ~4 @user',
      '@user ~1 is|was|be ~1 asked',
      'terms|licence|license',
    ],
  },
  {
    reason: 'says that somebody else has allowed it',
    where: 'aside',
    any: [
      'legal|security|management|administrator|admins|compliance|headquarters ~2 cleared|approved|authorised|authorized|permitted|sanctioned ~4 upload|uploading|sharing|transfer|export|collection|copying|sending|disclosure|use ~4 private|personal|mails|emails|@secret|@chat|confidential',
      'by|on ~0 order|orders ~0 of|from ~3 administrator|operator|security|management|developers|vendor|headquarters ~14 @data|@secret|@chat|@consent|@rule',
    ],
    unless: ['if|when|only|unless|once|until|after|whether'],
  },
])
