import { readUpTo } from './safe-fetch.ts'

/**
 * Asks a language model for one JSON object. Supports two APIs: Anthropic Messages, and the chat completions of OpenAI and compatible
 * servers.
 */

export interface LlmConfig {
  kind: 'anthropic' | 'openai'
  /** Without the path of the operation: "https://api.anthropic.com", "https://api.openai.com/v1". */
  baseUrl: string
  model: string
  apiKey: string
  timeoutMs: number
}

interface LlmQuestion {
  system: string
  user: string
  /** JSON Schema of the response. */
  schema: object
  /** A name for the response, letters and underscores. */
  name?: string
}

type LlmFailure = 'timeout' | 'aborted' | 'unreachable' | 'rateLimited' | 'rejected' | 'refused' | 'truncated' | 'malformed'

export class LlmError extends Error {
  readonly reason: LlmFailure

  constructor(reason: LlmFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'LlmError'
    this.reason = reason
  }
}

const MOST_BYTES = 1024 * 1024
const MOST_TOKENS = 4096

/** The object the model answered with, unchecked against the schema. Rejects with LlmError only. */
export async function completeJson(question: LlmQuestion, config: LlmConfig, signal?: AbortSignal): Promise<unknown> {
  const timeout = AbortSignal.timeout(config.timeoutMs)
  const both = signal ? AbortSignal.any([signal, timeout]) : timeout
  try {
    const reply = await post(config.kind === 'anthropic' ? anthropicRequest(question, config) : openAiRequest(question, config), both)
    return config.kind === 'anthropic' ? readAnthropic(reply) : readOpenAi(reply)
  } catch (error) {
    if (error instanceof LlmError) throw error
    if (timeout.aborted) throw new LlmError('timeout', `the model did not respond within ${config.timeoutMs} ms`, { cause: error })
    if (signal?.aborted) throw new LlmError('aborted', 'the request was canceled', { cause: error })
    throw new LlmError('unreachable', 'the model could not be reached', { cause: error })
  }
}

interface Post {
  url: string
  headers: Record<string, string>
  body: object
}

const withoutSlash = (baseUrl: string): string => baseUrl.replace(/\/+$/, '')

function anthropicRequest({ system, user, schema, name = 'answer' }: LlmQuestion, config: LlmConfig): Post {
  return {
    url: `${withoutSlash(config.baseUrl).replace(/\/v1$/, '')}/v1/messages`,
    headers: { 'x-api-key': config.apiKey, 'anthropic-version': '2023-06-01' },
    body: {
      model: config.model,
      max_tokens: MOST_TOKENS,
      temperature: 0,
      system,
      messages: [{ role: 'user', content: user }],
      tools: [{ name, description: 'Give the answer.', input_schema: schema }],
      tool_choice: { type: 'tool', name },
    },
  }
}

function openAiRequest({ system, user, schema, name = 'answer' }: LlmQuestion, config: LlmConfig): Post {
  return {
    url: `${withoutSlash(config.baseUrl)}/chat/completions`,
    headers: { authorization: `Bearer ${config.apiKey}` },
    body: {
      model: config.model,
      temperature: 0,
      max_tokens: MOST_TOKENS,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
    },
  }
}

async function post({ url, headers, body }: Post, signal: AbortSignal): Promise<unknown> {
  const { request } = await import('undici')
  const response = await request(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
    signal,
  })
  const text = await readUpTo(response.body, MOST_BYTES)
  if (text === null) throw new LlmError('malformed', 'the response is larger than a megabyte')
  if (response.statusCode === 429 || response.statusCode === 529)
    throw new LlmError('rateLimited', `the model returned ${response.statusCode}`)
  // The reply may contain the key or the brief, so only its status is reported.
  if (response.statusCode < 200 || response.statusCode > 299) throw new LlmError('rejected', `the model returned ${response.statusCode}`)
  return parseJson(text)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new LlmError('malformed', 'the response is not JSON', { cause: error })
  }
}

interface AnthropicReply {
  stop_reason?: string
  content?: { type?: string; input?: unknown }[]
}

function readAnthropic(reply: unknown): unknown {
  const { stop_reason: stop, content } = (reply ?? {}) as AnthropicReply
  if (stop === 'max_tokens') throw new LlmError('truncated', 'the response was cut off')
  if (stop === 'refusal') throw new LlmError('refused', 'the model declined')
  const tool = Array.isArray(content) ? content.find(block => block?.type === 'tool_use') : undefined
  if (!tool) throw new LlmError(Array.isArray(content) ? 'refused' : 'malformed', 'the model returned no structured response')
  return tool.input
}

interface OpenAiReply {
  choices?: { finish_reason?: string; message?: { content?: unknown; refusal?: unknown } }[]
}

function readOpenAi(reply: unknown): unknown {
  const choice = ((reply ?? {}) as OpenAiReply).choices?.[0]
  if (!choice?.message) throw new LlmError('malformed', 'the model returned no response')
  if (choice.message.refusal || choice.finish_reason === 'content_filter') throw new LlmError('refused', 'the model declined')
  if (choice.finish_reason === 'length') throw new LlmError('truncated', 'the response was cut off')
  if (typeof choice.message.content !== 'string') throw new LlmError('malformed', 'the model returned no text')
  return parseJson(choice.message.content)
}
