import type { InputRequest, InputRequests, RequestStateCodec, ServerContext } from '@modelcontextprotocol/server'
import { acceptedContent, inputRequired, inputResponse } from '@modelcontextprotocol/server'
import { text } from './content.ts'
import { declaredCapabilities } from './declared-capabilities.ts'
import type { SuiteTool } from './suite-tool.ts'
import { suiteTool } from './suite-tool.ts'

/** What a tool of several rounds carries through its client, signed. */
export interface RoundState {
  readonly round: number
}

const SAMPLE_TOKENS = 100

/** Tools that ask by what they answer (`input_required`), as servers do since 2026-07-28. */
export function inputTools(codec: RequestStateCodec<RoundState>): readonly SuiteTool[] {
  return [...oneRoundTools, ...statefulTools(codec), capabilityTool, streamingTool]
}

export function askForText(message: string, key: string): InputRequest {
  return inputRequired.elicit({
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { [key]: { type: 'string' } }, required: [key] },
  })
}

/** The accepted text under `key`; undefined for whatever else a client sent. */
export function acceptedText({ mcpReq }: ServerContext, request: string, key: string): string | undefined {
  const value = acceptedContent(mcpReq.inputResponses, request)?.[key]
  return typeof value === 'string' ? value : undefined
}

function askForSample(question: string): InputRequest {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens: SAMPLE_TOKENS,
  })
}

const oneRoundTools: readonly SuiteTool[] = [
  suiteTool('test_input_required_result_elicitation', {}, (_args, context) => {
    const name = acceptedText(context, 'user_name', 'name')
    if (name !== undefined) return text(`Hello, ${name}!`)
    return inputRequired({ inputRequests: { user_name: askForText('What is your name?', 'name') } })
  }),
  suiteTool('test_input_required_result_sampling', {}, (_args, { mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question')
    if (answer.kind === 'sampling') return text(JSON.stringify(answer.result.content))
    return inputRequired({ inputRequests: { capital_question: askForSample('What is the capital of France?') } })
  }),
  suiteTool('test_input_required_result_list_roots', {}, (_args, { mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots')
    if (answer.kind === 'roots') return text(answer.roots.map((root) => root.uri).join(', '))
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  }),
]

function statefulTools(codec: RequestStateCodec<RoundState>): readonly SuiteTool[] {
  const confirming = (name: string): SuiteTool =>
    suiteTool(name, {}, async (_args, { mcpReq }) => {
      const state = mcpReq.requestState<RoundState>()
      if (state !== undefined && acceptedContent(mcpReq.inputResponses, 'confirm') !== undefined) {
        return text('state-ok')
      }
      return inputRequired({
        inputRequests: { confirm: askForConsent() },
        requestState: await codec.mint({ round: 1 }),
      })
    })
  return [
    confirming('test_input_required_result_request_state'),
    confirming('test_input_required_result_tampered_state'),
    suiteTool('test_input_required_result_multiple_inputs', {}, async (_args, { mcpReq }) => {
      const kinds = ['user_name', 'greeting', 'client_roots'].map((key) => inputResponse(mcpReq.inputResponses, key))
      if (kinds.every(({ kind }) => kind !== 'missing')) return text(JSON.stringify(kinds))
      return inputRequired({
        inputRequests: {
          user_name: askForText('What is your name?', 'name'),
          greeting: askForSample('Generate a greeting'),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await codec.mint({ round: 1 }),
      })
    }),
    suiteTool('test_input_required_result_multi_round', {}, (_args, context) => askInRounds(codec, context)),
  ]
}

async function askInRounds(codec: RequestStateCodec<RoundState>, context: ServerContext) {
  const { round = 0 } = context.mcpReq.requestState<RoundState>() ?? {}
  if (round === 2 && acceptedText(context, 'step2', 'color') !== undefined) return text('both steps are answered')
  const isSecond = round >= 1 && acceptedText(context, 'step1', 'name') !== undefined
  return inputRequired({
    inputRequests: isSecond
      ? { step2: askForText('Step 2: What is your favorite color?', 'color') }
      : { step1: askForText('Step 1: What is your name?', 'name') },
    requestState: await codec.mint({ round: isSecond ? 2 : 1 }),
  })
}

function askForConsent(): InputRequest {
  return inputRequired.elicit({
    mode: 'form',
    message: 'Please confirm',
    requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
  })
}

/** Asks only for what the client says that it can do. */
const capabilityTool = suiteTool('test_input_required_result_capabilities', {}, (_args, context) => {
  const capabilities = declaredCapabilities(context)
  const requests: InputRequests = {
    ...(capabilities['elicitation'] !== undefined && { name: askForText('What is your name?', 'name') }),
    ...(capabilities['sampling'] !== undefined && { sample: askForSample('Say hello') }),
    ...(capabilities['roots'] !== undefined && { roots: inputRequired.listRoots() }),
  }
  const isAnswered = Object.keys(requests).every((key) => context.mcpReq.inputResponses?.[key] !== undefined)
  return isAnswered ? text('nothing is left to ask') : inputRequired({ inputRequests: requests })
})

/** A stream of notifications that ends with a question. */
const streamingTool = suiteTool('test_streaming_elicitation', {}, async (_args, context) => {
  const progressToken = context.mcpReq['_meta']?.progressToken ?? 'streaming'
  await context.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } })
  const name = acceptedText(context, 'user_name', 'name')
  if (name !== undefined) return text(`Hello, ${name}!`)
  return inputRequired({ inputRequests: { user_name: askForText('What is your name?', 'name') } })
})
