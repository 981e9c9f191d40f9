import { rulesOf } from './rule.ts'

/** Words that speak to the model past the user. Markup is found apart, in `markup.ts`. */
export const MESSAGE_RULES = rulesOf('fake-system-message', [
  {
    reason: 'speaks to the model itself',
    any: [
      'note|notes|message|directive|reminder|attention|order|request ~1 for|to ~2 @model',
      'instruction|instructions ~1 to ~2 @model',
      '@model ~0 directive|note|directives',
      'dear @model',
      'tell|instruct|order|command|make|get ~1 the|any|every|this ~1 @model ~1 to|fill|send|use|ignore|call|believe|think',
      'attention @model',
    ],
    unless: [
      '@user ~1 @model',
      // Whoever has none says so.
      'no|nothing|without|neither ~4 instruction|instructions|directive|directives|note|notes ~1 to|for ~2 @model',
      // What it takes out of texts.
      'remove|removes|removing|strip|strips|stripping|filter|filters|drop|drops|detect|detects ~3 instruction|instructions|note|notes|message|messages',
      'note|message|instruction|instructions ~1 for|to ~2 assistant|model|agent ~2 to|which|that ~1 use|run|call',
      'note|notes|instructions ~1 for|to ~1 developers|maintainers|operators|users|contributors|administrators',
      'custom|additional|optional ~1 instruction|instructions',
      'send|sends|sending|adds|create|creates ~3 message|instruction|instructions|note|request',
    ],
    business: 'llm model agent assistant prompt chat gpt claude thread message ai',
  },
  {
    weight: 'weak',
    // A heading of many honest guides too.
    reason: 'has a part that is for the model',
    any: ['instruction|instructions ~1 for ~2 @model', '@model ~0 instructions|instruction'],
    unless: ['custom|additional|optional ~1 instruction|instructions'],
    business: 'llm model agent assistant prompt chat gpt claude thread message ai',
  },
])
