import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { AwsV4Signer } from 'aws4fetch'
import type { Agent, request } from 'undici'
import { escapeHtml } from './html-page.ts'
import { readUpTo } from './safe-fetch.ts'

interface S3Options {
  /** Like `https://s3.eu-central-1.amazonaws.com` or `http://minio:9000`. The bucket goes into the path. */
  endpoint: string
  bucket: string
  region: string
  accessKey: string
  secretKey: string
  /** Files larger than this go up in parts of this size, so that only one part is in memory. The protocol asks for 5 MiB at least. */
  partBytes?: number
}

/** The store did not respond, or did not do what it was asked. */
export class S3Failed extends Error {
  override readonly name = 'S3Failed'
  readonly status: number | null

  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, { cause })
    this.status = status
  }
}

const PART_BYTES = 8 * 1024 * 1024
/** Far more than the store says about an upload or an error. */
const MOST_SAID_BYTES = 64 * 1024
const EMPTY = createHash('sha256').digest('hex')

interface Call {
  query?: Record<string, string>
  body?: Buffer
  contentType?: string
  signal?: AbortSignal | undefined
}

type Answer = Awaited<ReturnType<typeof request>>

/** The four things we ask of an S3-compatible store. Every request is signed, its body included. */
export class S3 {
  readonly #options: S3Options
  #agent: Agent | undefined

  constructor(options: S3Options) {
    this.#options = options
  }

  /** Writes a file of unknown length. Until this resolves there is no file, or the one that was there before. */
  async put(key: string, content: AsyncIterable<Buffer>, contentType: string, signal?: AbortSignal): Promise<number> {
    const partBytes = this.#options.partBytes ?? PART_BYTES
    const parts = inParts(content, partBytes)
    const first = await parts.next()
    const head = first.done ? Buffer.alloc(0) : first.value
    if (head.length < partBytes) {
      await this.#ask('PUT', key, { body: head, contentType, signal })
      return head.length
    }
    return this.#putParts(key, head, parts, contentType, signal)
  }

  async #putParts(key: string, head: Buffer, rest: AsyncIterable<Buffer>, contentType: string, signal?: AbortSignal): Promise<number> {
    const started = await this.#text('POST', key, { query: { uploads: '' }, contentType, signal })
    const uploadId = unescapeXml(/<UploadId>([^<]+)<\/UploadId>/.exec(started)?.[1] ?? '')
    if (!uploadId) throw new S3Failed('the store started an upload without returning its id', null)
    try {
      const tags: string[] = []
      let byteLength = 0
      const send = async (part: Buffer): Promise<void> => {
        const answer = await this.#ask('PUT', key, { query: { partNumber: String(tags.length + 1), uploadId }, body: part, signal })
        tags.push(String(answer.headers.etag ?? ''))
        byteLength += part.length
      }
      await send(head)
      for await (const part of rest) await send(part)
      const list = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeHtml(tag)}</ETag></Part>`).join('')
      const body = Buffer.from(`<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`)
      const done = await this.#text('POST', key, { query: { uploadId }, body, contentType: 'application/xml', signal })
      // This one call can fail after its status line has said 200.
      if (done.includes('<Error>')) throw new S3Failed(`the store refused to complete the upload of ${key}`, 200)
      return byteLength
    } catch (error) {
      await this.#ask('DELETE', key, { query: { uploadId } }).catch(() => {})
      throw error
    }
  }

  /** Null when there is no such file. The body must be read or destroyed. */
  async get(key: string): Promise<Readable | null> {
    try {
      return (await this.#send('GET', key, {})).body
    } catch (error) {
      if (error instanceof S3Failed && error.status === 404) return null
      throw error
    }
  }

  /** Deleting what is not there is fine. */
  async delete(key: string): Promise<void> {
    await this.#ask('DELETE', key, {}).catch(error => {
      if (!(error instanceof S3Failed && error.status === 404)) throw error
    })
  }

  async close(): Promise<void> {
    await this.#agent?.close()
  }

  async #ask(method: string, key: string, call: Call): Promise<Answer> {
    const answer = await this.#send(method, key, call)
    await answer.body.dump()
    return answer
  }

  async #text(method: string, key: string, call: Call): Promise<string> {
    const text = await readUpTo((await this.#send(method, key, call)).body, MOST_SAID_BYTES)
    if (text === null) throw new S3Failed(`the response of the object store to ${method} ${key} is too long`, null)
    return text
  }

  async #send(method: string, key: string, call: Call): Promise<Answer> {
    const { endpoint, bucket, region, accessKey, secretKey } = this.#options
    const url = new URL(`${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}/${key.split('/').map(encodeURIComponent).join('/')}`)
    for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value)
    const headers = {
      'x-amz-content-sha256': call.body ? createHash('sha256').update(call.body).digest('hex') : EMPTY,
      ...(call.contentType ? { 'content-type': call.contentType } : {}),
    }
    const signer = new AwsV4Signer({
      method,
      url: url.toString(),
      headers,
      service: 's3',
      region,
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
    })
    const signed = await signer.sign()
    let answer: Answer
    try {
      const { Agent, request } = await import('undici')
      this.#agent ??= new Agent({ connectTimeout: 5000, headersTimeout: 30_000, bodyTimeout: 60_000, connections: 16 })
      answer = await request(signed.url, {
        method: method as 'GET',
        headers: Object.fromEntries(signed.headers),
        body: call.body ?? null,
        dispatcher: this.#agent,
        ...(call.signal ? { signal: call.signal } : {}),
      })
    } catch (error) {
      throw new S3Failed(`the object store cannot be reached: ${(error as Error).message}`, null, error)
    }
    if (answer.statusCode >= 200 && answer.statusCode < 300) return answer
    const text = await readUpTo(answer.body, MOST_SAID_BYTES).catch(() => null)
    const code = /<Code>([^<]{1,100})<\/Code>/.exec(text ?? '')?.[1]
    throw new S3Failed(`the object store returned ${answer.statusCode}${code ? ` ${code}` : ''} to ${method} ${key}`, answer.statusCode)
  }
}

/** Cuts a stream into pieces of exactly this size; the last may be shorter. */
async function* inParts(content: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer, undefined> {
  let pending: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    let rest = chunk
    while (length + rest.length >= size) {
      const cut = size - length
      yield Buffer.concat([...pending, rest.subarray(0, cut)])
      pending = []
      length = 0
      rest = rest.subarray(cut)
    }
    if (rest.length > 0) pending.push(rest)
    length += rest.length
  }
  if (length > 0) yield Buffer.concat(pending)
}

const unescapeXml = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
