import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export const S3_CREDENTIALS = { accessKey: 'AKIDEXAMPLE', secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', region: 'eu-test-1' }

/**
 * A small object store that speaks as much of the S3 protocol as we do, and checks every signature by its own
 * arithmetic, from what arrived on the wire.
 */
export class S3Server {
  readonly objects = new Map<string, Buffer>()
  readonly requests: string[] = []
  readonly refused: string[] = []
  /** While true, everything returns 503. */
  isDown = false
  readonly #uploads = new Map<string, { key: string; parts: Map<number, Buffer> }>()
  readonly #server = createServer((request, reply) => {
    void this.#answer(request).then(({ status, body, headers }) => reply.writeHead(status, headers).end(body))
  })

  async start(): Promise<string> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }

  get openUploads(): number {
    return this.#uploads.size
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body?: Buffer | string; headers?: Record<string, string> }> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const url = new URL(request.url!, `http://${request.headers.host}`)
    this.requests.push(`${request.method} ${url.pathname}${url.search}`)
    if (this.isDown) return failure(503, 'SlowDown')
    const problem = checkSignature(request, url, body)
    if (problem) {
      this.refused.push(problem)
      return failure(403, 'SignatureDoesNotMatch')
    }
    const key = decodeURIComponent(url.pathname.slice(1))
    const uploadId = url.searchParams.get('uploadId')
    switch (request.method) {
      case 'GET': {
        const found = this.objects.get(key)
        return found ? { status: 200, body: found } : failure(404, 'NoSuchKey')
      }
      case 'PUT':
        if (uploadId) {
          const upload = this.#uploads.get(uploadId)
          if (!upload) return failure(404, 'NoSuchUpload')
          upload.parts.set(Number(url.searchParams.get('partNumber')), body)
        } else {
          this.objects.set(key, body)
        }
        return { status: 200, headers: { etag: tagOf(body) } }
      case 'POST':
        if (url.searchParams.has('uploads')) {
          const id = `${randomUUID()}&more`
          this.#uploads.set(id, { key, parts: new Map() })
          return {
            status: 200,
            body: `<InitiateMultipartUploadResult><UploadId>${id.replace('&', '&amp;')}</UploadId></InitiateMultipartUploadResult>`,
          }
        }
        return this.#complete(uploadId!, key, body.toString())
      case 'DELETE':
        if (uploadId) this.#uploads.delete(uploadId)
        else this.objects.delete(key)
        return { status: 204 }
      default:
        return failure(405, 'MethodNotAllowed')
    }
  }

  #complete(uploadId: string, key: string, list: string): { status: number; body: string } {
    const upload = this.#uploads.get(uploadId)
    const named = [...list.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)]
    const parts = named.map(([, number, tag]) => ({ part: upload?.parts.get(Number(number)), tag: tag!.replaceAll('&quot;', '"') }))
    if (!upload || parts.some(({ part, tag }) => !part || tagOf(part) !== tag))
      return { status: 200, body: '<Error><Code>InvalidPart</Code></Error>' }
    this.objects.set(key, Buffer.concat(parts.map(({ part }) => part!)))
    this.#uploads.delete(uploadId)
    return { status: 200, body: '<CompleteMultipartUploadResult/>' }
  }
}

const failure = (status: number, code: string) => ({ status, body: `<Error><Code>${code}</Code></Error>` })
const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex')
const hmac = (key: Buffer | string, data: string): Buffer => createHmac('sha256', key).update(data).digest()
const tagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, letter => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

/** AWS Signature Version 4, from the receiving end. */
function checkSignature(request: IncomingMessage, url: URL, body: Buffer): string | null {
  const { accessKey, secretKey, region } = S3_CREDENTIALS
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    )
  if (!match) return 'no signature'
  const [, id, day, signedRegion, names, signature] = match as unknown as string[]
  const date = String(request.headers['x-amz-date'])
  if (id !== accessKey || signedRegion !== region || !date.startsWith(day!)) return 'another key, region or day'
  if (request.headers['x-amz-content-sha256'] !== sha256(body)) return 'the body is not the one that was signed'
  if (!names!.split(';').includes('host') || !names!.split(';').includes('x-amz-content-sha256')) return 'too little was signed'
  const headers = names!
    .split(';')
    .map(name => `${name}:${String(request.headers[name]).trim()}\n`)
    .join('')
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&')
  const path = url.pathname
    .split('/')
    .map(part => encode(decodeURIComponent(part)))
    .join('/')
  const canonical = [request.method, path, query, headers, names, sha256(body)].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')
  const key = hmac(hmac(hmac(hmac(`AWS4${secretKey}`, day!), region), 's3'), 'aws4_request')
  return hmac(key, toSign).toString('hex') === signature ? null : 'the signature does not fit the request'
}
