import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, describe, test } from 'node:test'
import { testCertificate } from '../../test/mail/certificate.ts'
import type { Resolve } from './public-address.ts'
import { isAllowedAddress } from './public-address.ts'
import { checkTarget, PostFailed, type PostOptions, SafeClient, TargetRefused } from './safe-fetch.ts'

const PUBLIC = '93.184.215.14'
const unknown: Resolve = async () => {
  throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
}
const resolvesTo =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses

const OPTIONS: PostOptions = { headers: { 'content-type': 'application/json' }, body: '{}', timeoutMs: 5000 }

async function listen(handler: RequestListener, server: Server = createServer()): Promise<{ port: number; heard: IncomingMessage[] }> {
  const heard: IncomingMessage[] = []
  server.on('request', (request, response) => {
    heard.push(request)
    handler(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, heard }
}

function client(options: ConstructorParameters<typeof SafeClient>[0]): SafeClient {
  const created = new SafeClient(options)
  after(() => created.close())
  return created
}

const failsWith = (reason: string) => (error: unknown) => error instanceof PostFailed && error.reason === reason

describe('which addresses may be called', () => {
  const never = [
    '0.0.0.0',
    '255.255.255.255',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '::',
    'fe80::1',
    'ff02::1',
    'fec0::1',
    '::ffff:127.0.0.1',
    '::ffff:93.184.215.14',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001:0:1::1',
    '2001:db8::1',
    '100::1',
    '4000::1',
    '168.63.129.16',
    '192.0.0.192',
    '169.254.170.2',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    'fd00:42::42',
    'nonsense',
    '',
  ]
  const locally = ['127.0.0.1', '127.255.0.9', '10.1.2.3', '172.16.0.1', '192.168.1.1', '::1', 'fd12:3456::1']
  const always = [PUBLIC, '8.8.8.8', '2606:2800:21f:cb07:6820:80da:af6b:8b2c']

  for (const address of never) {
    test(`${address || 'an empty address'} is never called`, () => {
      assert.equal(isAllowedAddress(address, false), false)
      assert.equal(isAllowedAddress(address, true), false)
    })
  }
  for (const address of locally) {
    test(`${address} is called only in local mode`, () => {
      assert.equal(isAllowedAddress(address, false), false)
      assert.equal(isAllowedAddress(address, true), true)
    })
  }
  for (const address of always) {
    test(`${address} may be called`, () => {
      assert.equal(isAllowedAddress(address, false), true)
      assert.equal(isAllowedAddress(address, true), true)
    })
  }
})

describe('the check when a URL is accepted', () => {
  const refused = [
    'http://example.com/',
    'ftp://example.com/',
    'not a url',
    'https://user:secret@example.com/',
    'https://user@example.com/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://017700000001/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.8:8443/',
    'https://localhost/',
    'https://localhost./',
    'https://LOCALHOST/',
    'https://api.localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://intranet/',
    'https://kubernetes/',
  ]
  for (const url of refused) {
    test(`${url} is refused without a DNS query`, async () => {
      const resolve: Resolve = async () => assert.fail('nobody should be asked')
      await assert.rejects(checkTarget(url, { allowLocal: false, resolve }), TargetRefused)
    })
  }

  test('a name is refused when any of its addresses is private', async () => {
    const resolve = resolvesTo(PUBLIC, '10.0.0.1')
    await assert.rejects(checkTarget('https://hooks.example.com/', { allowLocal: false, resolve }), TargetRefused)
  })

  test('a public name at any port is accepted', async () => {
    await checkTarget('https://hooks.example.com:8443/in?a=1', { allowLocal: false, resolve: resolvesTo(PUBLIC) })
  })

  test('a name that does not resolve yet is accepted', async () => {
    await checkTarget('https://hooks.example.com/', { allowLocal: false, resolve: unknown })
  })

  test('local mode accepts plain http and loopback, but no metadata address', async () => {
    await checkTarget('http://127.0.0.1:9000/hook', { allowLocal: true })
    await checkTarget('http://receiver:9000/hook', { allowLocal: true, resolve: resolvesTo('172.18.0.3') })
    await assert.rejects(checkTarget('http://169.254.169.254/', { allowLocal: true }), TargetRefused)
    await assert.rejects(checkTarget('http://metadata/', { allowLocal: true, resolve: resolvesTo('169.254.169.254') }), TargetRefused)
  })
})

describe('posting', () => {
  test('the result is the status and Retry-After', async () => {
    const { port } = await listen((request, response) => {
      request.resume()
      response.writeHead(503, { 'retry-after': '120' }).end('busy')
    })
    const answer = await client({ allowLocal: true }).post(`http://127.0.0.1:${port}/`, OPTIONS)
    assert.deepEqual(answer, { status: 503, retryAfter: '120', body: '' })
  })

  test('the body is returned on request, unless it is endless', async () => {
    const { port } = await listen((request, response) => {
      request.resume()
      response.end(request.url === '/short' ? 'héllo' : Buffer.alloc(1_000_000))
    })
    const read = (path: string) => client({ allowLocal: true }).ask(`http://127.0.0.1:${port}${path}`, OPTIONS)
    assert.deepEqual(await read('/short'), { status: 200, retryAfter: null, body: 'héllo' })
    await assert.rejects(read('/long'), failsWith('invalid_response'))
  })

  test('a name that becomes private after the URL was accepted is not connected to', async () => {
    const { port, heard } = await listen((_, response) => response.end())
    const answers = [[PUBLIC], ['127.0.0.1']]
    const resolve: Resolve = async () => answers.shift()!
    const url = `https://rebinding.example.com:${port}/`
    await checkTarget(url, { allowLocal: false, resolve })
    await assert.rejects(client({ allowLocal: false, resolve }).post(url, OPTIONS), failsWith('address_not_allowed'))
    assert.equal(heard.length, 0)
    assert.equal(answers.length, 0)
  })

  test('the connection goes to the address that was checked: a name is resolved once', async () => {
    const { port, heard } = await listen((_, response) => response.end())
    let asked = 0
    const resolve: Resolve = async () => {
      asked++
      return asked === 1 ? ['127.0.0.1'] : ['127.0.0.2']
    }
    const answer = await client({ allowLocal: true, resolve }).post(`http://hooks.example.com:${port}/`, OPTIONS)
    assert.equal(answer.status, 200)
    assert.equal(asked, 1)
    assert.equal(heard[0]!.headers.host, `hooks.example.com:${port}`)
    assert.equal(heard[0]!.socket.localAddress, '127.0.0.1')
  })

  test('a literal address is checked without DNS', async () => {
    const { port, heard } = await listen((_, response) => response.end())
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433']) {
      await assert.rejects(client({ allowLocal: false }).post(`https://${host}:${port}/`, OPTIONS), failsWith('address_not_allowed'))
    }
    assert.equal(heard.length, 0)
  })

  test('a redirect is returned and not followed', async () => {
    const elsewhere = await listen((_, response) => response.end())
    const { port } = await listen((_, response) => response.writeHead(307, { location: `http://127.0.0.1:${elsewhere.port}/` }).end())
    const answer = await client({ allowLocal: true }).post(`http://127.0.0.1:${port}/`, OPTIONS)
    assert.equal(answer.status, 307)
    assert.equal(elsewhere.heard.length, 0)
  })

  test('a certificate is checked against the name, not the address', async () => {
    const { port } = await listen((_, response) => response.end(), createTlsServer(testCertificate) as unknown as Server)
    const rules = { allowLocal: true, resolve: resolvesTo('127.0.0.1'), ca: testCertificate.cert }
    assert.equal((await client(rules).post(`https://localhost:${port}/`, OPTIONS)).status, 200)
    await assert.rejects(client(rules).post(`https://other.example.com:${port}/`, OPTIONS), failsWith('tls_failed'))
    await assert.rejects(client({ allowLocal: true }).post(`https://127.0.0.1:${port}/`, OPTIONS), failsWith('tls_failed'))
  })

  test('an endless response is cut off without changing the status', async () => {
    const { port, heard } = await listen((request, response) => {
      const chunk = Buffer.alloc(16 * 1024, 'x')
      const pour = (): void => {
        while (!response.destroyed && response.write(chunk));
      }
      request.socket.on('error', () => {})
      response.on('drain', pour).writeHead(200)
      pour()
    })
    const closed = client({ allowLocal: true })
    assert.equal((await closed.post(`http://127.0.0.1:${port}/`, OPTIONS)).status, 200)
    const { socket } = heard[0]!
    if (!socket.destroyed) await new Promise(resolve => socket.on('close', resolve))
  })

  test('an endless chunk extension is cut off, and the next responses of a connection are not', async () => {
    const { port } = await listen((request, response) => {
      request.socket.on('error', () => {})
      if (request.url === '/short') return void response.end('x'.repeat(60_000))
      request.socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;')
      const pour = (): void => {
        while (!request.socket.destroyed && request.socket.write('x'.repeat(65_536)));
      }
      request.socket.on('drain', pour)
      pour()
    })
    const one = client({ allowLocal: true })
    for (let n = 0; n < 8; n++) assert.equal((await one.ask(`http://127.0.0.1:${port}/short`, OPTIONS)).body.length, 60_000)
    await assert.rejects(one.ask(`http://127.0.0.1:${port}/`, OPTIONS), failsWith('invalid_response'))
  })

  test('a response that never begins, after many hints, is cut off', async () => {
    const { port } = await listen((request, response) => {
      request.socket.on('error', () => {})
      for (let n = 0; n < 100; n++) response.writeEarlyHints({ link: '</a.css>; rel=preload' })
      response.end()
    })
    await assert.rejects(client({ allowLocal: true }).post(`http://127.0.0.1:${port}/`, OPTIONS), failsWith('invalid_response'))
  })

  test('an unfinished response is ended at the time limit, and its status counts', async () => {
    const { port } = await listen((_, response) => response.writeHead(204).flushHeaders())
    const slow = await listen((_, response) => void response.writeHead(200).write('a little'))
    assert.equal((await client({ allowLocal: true }).post(`http://127.0.0.1:${port}/`, OPTIONS)).status, 204)
    const answer = await client({ allowLocal: true }).post(`http://127.0.0.1:${slow.port}/`, {
      ...OPTIONS,
      timeoutMs: 200,
    })
    assert.equal(answer.status, 200)
  })

  test('a silent receiver ends in a timeout, and a request can be aborted', async () => {
    const { port } = await listen(() => {})
    const url = `http://127.0.0.1:${port}/`
    await assert.rejects(client({ allowLocal: true }).post(url, { ...OPTIONS, timeoutMs: 20 }), failsWith('timeout'))
    await assert.rejects(client({ allowLocal: true }).post(url, { ...OPTIONS, signal: AbortSignal.abort() }), failsWith('aborted'))
  })

  test('a silent name server ends in a timeout', async () => {
    const resolve: Resolve = () => new Promise(() => {})
    const posted = client({ allowLocal: false, resolve }).post('https://hooks.example.com/', {
      ...OPTIONS,
      timeoutMs: 20,
    })
    await assert.rejects(posted, failsWith('timeout'))
  })

  test('failure codes reveal nothing about our network', async () => {
    const { port } = await listen(request => request.socket.destroy())
    await assert.rejects(client({ allowLocal: true }).post(`http://127.0.0.1:${port}/`, OPTIONS), failsWith('connection_lost'))
    await assert.rejects(client({ allowLocal: true, resolve: unknown }).post('http://nowhere.example/', OPTIONS), failsWith('dns_failed'))
    await assert.rejects(client({ allowLocal: true }).post('http://127.0.0.1:1/', OPTIONS), failsWith('connection_refused'))
  })
})
