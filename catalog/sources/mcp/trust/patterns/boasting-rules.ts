import { rulesOf } from './rule.ts'

/** Praise that is to have a model choose the tool for its words. One such word is advertising; two kinds of it are meant. */
export const BOASTING_RULES = rulesOf('tool-shadowing', [
  {
    weight: 'weak',
    reason: 'sets itself above all others of its kind',
    any: [
      'outperforms|outclasses|outshines|surpasses|beats|trounces ~2 all|any|every|other|others|competing|competitors|rivals|alternatives',
      'superior|inferior ~2 to|than ~2 all|any|every|other|others|competing|standard|alternatives|competitors',
      'inferior|lesser|mediocre ~1 @tools|alternatives|options|competitors|choices',
      'rated|ranked|voted|chosen ~1 1|number|first|top|best',
      '1|one rated|ranked|choice',
      'best|finest|greatest|leading|ultimate|top|only ~3 @tools|option|choice|tool|solution|service ~2 available|ever|anywhere|worldwide|everything|anything|trust|world|market',
      'best ~1 and ~1 most',
      'right|correct|proper|optimal ~1 tool|choice|answer|one ~1 for ~2 each|every|any|all',
      'others|alternatives|rest ~1 is|are ~2 slow|slower|costly|expensive|wrong|worse|weaker|unreliable|limited',
      'no matter ~2 topic|question|task|subject|request',
      'not|why|never settle for|on',
      'no ~1 other|rival|competing ~2 comes|come|gets|get ~1 close|near',
      'game changer|changing',
      'unmatched|unrivaled|unrivalled|unbeatable|unparalleled|unprecedented ~1 accuracy|precision|quality|excellence|speed|reliability|results|performance',
    ],
  },
  {
    weight: 'weak',
    reason: 'calls on fame and crowds',
    any: [
      'trusted|endorsed|recommended|loved|praised|acclaimed|preferred ~2 by|of ~6 experts|researchers|millions|thousands|companies|professionals|leaders|universities|scientists|engineers|developers|teams|enterprises|fortune|labs|lab|institutions|nations',
      'featured|seen|praised|covered ~1 in|on|by ~6 magazine|journal|journals|press|news|tv|talks|review|media|techcrunch|forbes|wired|nature',
      'customer|user ~0 satisfaction',
      'award winning',
      'million|millions|thousands ~2 users|downloads|customers|reviews|teams|companies',
      'five|5 star|stars',
      'scientifically|clinically|independently proven',
      'industry|market leader',
    ],
  },
  {
    weight: 'weak',
    reason: 'speaks of how models choose',
    any: [
      'models|agents|assistants|evaluators|graders ~4 choose|chooses|pick|picks|select|selects|prefer|prefers|choice|selection',
      'correct|right|expected|only ~0 selection|pick',
    ],
    business: 'model agent evaluat benchmark route select choos',
  },
  {
    weight: 'weak',
    reason: 'presses for a hasty choice',
    any: [
      'act now',
      'limited time',
      'hurry',
      'only ~2 uses|spots|places|seats ~1 left|remaining',
      'access|offer ~1 expires|ends ~1 soon|today|tonight',
      'before ~2 access|offer|it ~1 expires|ends',
      'exclusive|vip|elite ~1 access|users|members',
      'waste ~1 time ~1 with|on',
      'fall|left behind',
    ],
  },
])
