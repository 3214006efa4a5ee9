import type { StreamOptions } from './calls.ts'
import { OvertureError } from './errors.ts'
import { backoffMs, errorOf, type Http, retryAfterMs, sleep } from './http.ts'
import type { Event } from './types.gen.ts'

/** The service sends a comment every 15 seconds. */
const SILENCE_MS = 45_000
/** Many times the largest event. */
const LONGEST_RECORD = 8_000_000

/** Follows the event log forever: when the connection ends, it continues after the last event. */
export async function* streamEvents(http: Http, path: string, options: StreamOptions): AsyncGenerator<Event> {
  const { after, types, campaignId, leadId, headers } = options
  const signal = http.until(options.signal)
  const query = new URLSearchParams()
  if (after !== undefined) query.set('after', String(after))
  // The service filters by one type; several types are filtered here.
  if (types?.length === 1) query.set('type', types[0]!)
  if (campaignId) query.set('campaignId', campaignId)
  if (leadId) query.set('leadId', leadId)
  const url = query.size > 0 ? `${path}?${query}` : path
  let lastId: string | undefined
  for (let failures = 0; ; failures++) {
    let delayMs: number | undefined
    const silence = new AbortController()
    try {
      signal?.throwIfAborted()
      const response = await http.fetch({
        method: 'GET',
        path: url,
        headers: { accept: 'text/event-stream', ...headers, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) },
        signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
      })
      if (!response.ok) {
        delayMs = retryAfterMs(response.headers)
        throw errorOf(response, await response.text())
      }
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) throw unexpected('The response is not an event stream.')
      for await (const { id, data } of readRecords(response.body!, silence)) {
        failures = -1
        if (id !== undefined) lastId = id
        if (data === undefined) continue
        const event = readEvent(data)
        if (!types?.length || types.includes(event.type)) yield event
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof OvertureError && !isPassing(error)) throw error
    } finally {
      // Even if the caller stops iterating, the connection is closed.
      silence.abort()
    }
    await sleep(delayMs ?? backoffMs(Math.max(0, failures)), signal)
  }
}

/** Reading the log again is harmless, so the errors of a restarting service or proxy are retried. */
const isPassing = ({ status }: OvertureError): boolean => status === 429 || status >= 500

const unexpected = (message: string): OvertureError => new OvertureError(message, { code: 'unexpected_answer', status: 200 })

/** Invalid data is an error, and not a reason to reconnect, because it would be the same again. */
function readEvent(data: string): Event {
  try {
    return JSON.parse(data) as Event
  } catch {
    throw unexpected('An event is not JSON.')
  }
}

interface StreamRecord {
  id: string | undefined
  data: string | undefined
}

/** The subset of server-sent events that the service uses. Lines end with LF, CR or both. */
async function* readRecords(body: ReadableStream<Uint8Array>, silence: AbortController): AsyncGenerator<StreamRecord> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  let endsWithCr = false
  for (;;) {
    const timer = setTimeout(() => silence.abort(), SILENCE_MS)
    const { done, value } = await reader.read().finally(() => clearTimeout(timer))
    if (done) return
    let text = decoder.decode(value, { stream: true })
    if (!text) continue
    // A CR at the end of a piece may be the first half of a CRLF, whose second half is not another line.
    if (endsWithCr && text.startsWith('\n')) text = text.slice(1)
    endsWithCr = text.endsWith('\r')
    text = text.replace(/\r\n?/g, '\n')
    // A long event is searched for its end only where lines end.
    const records = text.includes('\n') ? (rest + text).split('\n\n') : [rest + text]
    rest = records.pop()!
    if (rest.length > LONGEST_RECORD) throw unexpected('An event does not end.')
    for (const record of records) yield readRecord(record)
  }
}

function readRecord(text: string): StreamRecord {
  const fields = { id: undefined as string | undefined, data: undefined as string | undefined }
  for (const line of text.split('\n')) {
    const [, name, value] = /^(id|data): ?(.*)$/.exec(line) ?? []
    if (name === 'id') fields.id = value
    else if (name === 'data') fields.data = fields.data === undefined ? value : `${fields.data}\n${value}`
  }
  return fields
}
