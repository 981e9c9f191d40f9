/** What is said with a question, in UTF-16 units: some sentences. */
export const MESSAGE_MAX_LENGTH = 2_000
/** A field's title, a choice, or the name of who asks: one line. */
export const LINE_MAX_LENGTH = 200
/** What explains one field: two lines of it. */
export const EXPLANATION_MAX_LENGTH = 500
/** Fields of one form: more than that is no question. */
export const FIELDS_MAX = 50
/** A field's name stands in commands and in lines of a chat. */
export const FIELD_NAME_MAX_LENGTH = 100
/** Choices of one field: the countries of the world. */
export const CHOICES_MAX = 250
/** Choices of all fields together. */
export const ALL_CHOICES_MAX = 500
/** JSON of all that is shown of a form: it is kept with the approval and sent to webhooks. */
export const FORM_MAX_LENGTH = 32_768
/** One text that a person writes. */
export const ANSWER_TEXT_MAX_LENGTH = 10_000
/** An address is shown whole, so that it has to fit. */
export const URL_MAX_LENGTH = 2_048
/** Messages of a conversation that a model is to go on with. */
export const SAMPLE_MESSAGES_MAX = 50
/** JSON of such a conversation for a client, which shows it as it can. */
export const SAMPLE_MAX_LENGTH = 131_072
/** And where a person decides by what an approval shows: all of it has to be seen. */
export const SAMPLE_SHOWN_MAX_LENGTH = 12_000
/** Tokens of an answer, whatever a server asks for: some pages. */
export const SAMPLE_TOKENS_MAX = 4_096
/** Texts that end an answer; the OpenAI API takes as many. */
export const SAMPLE_STOPS_MAX = 4
export const SAMPLE_STOP_MAX_LENGTH = 64
/** JSON of what a client's model answered: a picture of a megabyte among it. */
export const SAMPLE_ANSWER_MAX_LENGTH = 2_097_152
