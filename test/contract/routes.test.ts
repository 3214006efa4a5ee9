import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { openApiDocument } from '../../scripts/openapi-document.ts'
import { exampleOf } from '../../scripts/openapi-texts.ts'
import { routes } from '../../src/app/routes.ts'
import { SCOPES } from '../../src/http/access.ts'
import { mountRoutes, type RequestGuards } from '../../src/http/pipeline.ts'
import type { Route } from '../../src/http/route.ts'
import { ONE_LINE } from '../../src/http/schema.ts'
import { isFull } from '../full.ts'
import { type Client, type Overture, startOverture } from '../harness.ts'
import { type Browser, signIn } from '../sessions.ts'
import { problemsWith, problemsWithSchema } from './openapi-check.ts'

/** The names in a schema of a body, with the type of each. Those of leads and people come from files, so they are cleaned instead. */
function* namesIn(schema: unknown, at: string): Generator<[path: string, schema: { type?: unknown; pattern?: string }]> {
  if (typeof schema !== 'object' || schema === null || /Lead|Person|People|Directory/.test((schema as { title?: string }).title ?? ''))
    return
  for (const [key, value] of Object.entries(schema)) {
    const isName = /^(?:name|.*[a-z]Name)$/.test(key) && [(value as { type?: unknown })?.type].flat().includes('string')
    if (isName && !LEAD_NAMES.includes(key)) yield [`${at}/${key}`, value]
    else yield* namesIn(value, `${at}/${key}`)
  }
}
const LEAD_NAMES = ['firstName', 'lastName', 'fullName']

/** The route with every parameter filled in: the workspace with one that exists, the rest with ids that do not. */
const pathOf = (route: Route, workspaceId: string): string =>
  route.path.replace(':workspaceId', workspaceId).replace(/:\w+/g, () => randomUUID())

const headersOf = (route: Route): Record<string, string> => (route.ifMatch ? { 'if-match': '2026-01-01T00:00:00.000Z' } : {})
const hasWorkspace = (route: Route): boolean => route.path.includes(':workspaceId')
/** Bodies that are files have journeys of their own. */
const takesBody = (route: Route): boolean => route.method !== 'GET' && !route.streams
const guarded = routes.filter(route => route.scope !== 'public')

it('every name in a request is one line', () => {
  const names = routes.flatMap(route => [...namesIn([route.body, route.query], route.id)])
  assert.ok(names.length > 10)
  assert.deepEqual(
    names.filter(([, { pattern }]) => pattern !== ONE_LINE).map(([path]) => path),
    [],
  )
})

describe('every route', () => {
  let overture: Overture
  let client: Client
  let stranger: { client: Client; workspaceId: string }
  let browser: Browser

  before(async () => {
    overture = await startOverture({ worker: false })
    client = overture.client
    stranger = await overture.stranger()
    browser = await signIn(client)
  })

  const send = (
    sender: Client,
    route: Route,
    workspaceId: string,
    options: { token?: string | null; body?: unknown; raw?: string; headers?: Record<string, string> } = {},
  ) =>
    sender.send(
      route.method,
      pathOf(route, workspaceId),
      options.raw === undefined && takesBody(route) ? (options.body ?? {}) : undefined,
      {
        ...(options.token === undefined ? {} : { token: options.token }),
        ...(options.raw === undefined ? {} : { raw: options.raw }),
        headers: { ...headersOf(route), ...options.headers },
      },
    )

  /** Clients by what their tokens may do, and their sessions: to make one takes longer than to refuse it. */
  const made = new Map<string, Promise<[Client, Browser]>>()
  const without = (scopes: readonly (string | undefined)[]): Promise<[Client, Browser]> => {
    const make = async (): Promise<[Client, Browser]> => {
      const limited = await overture.withScopes(SCOPES.filter(scope => !scopes.includes(scope)))
      return [limited, await signIn(limited)]
    }
    const known = made.get(scopes.join()) ?? make()
    made.set(scopes.join(), known)
    return known
  }

  for (const [index, route] of guarded.entries()) {
    const name = `${route.method} ${route.path}`
    /** All of them in the complete run. In `npm test`, one for each route in turn, so that each is sent to many routes. */
    const inTurn = <T>(all: T[]): T[] => (isFull ? all : [all[index % all.length]!])

    it(`${name} returns 401 without a token`, async () => {
      const reply = await send(client, route, overture.workspaceId, { token: null })
      assert.equal(reply.status, 401)
      assert.equal(reply.body.error.code, 'unauthenticated')
      assert.match(String(reply.headers['www-authenticate']), /^Bearer/)
    })

    it(`${name} returns 401 for a token that was never issued`, async () => {
      const reply = await send(client, route, overture.workspaceId, { token: `ovr_pat_${'x'.repeat(42)}` })
      assert.equal(reply.status, 401)
      assert.equal(reply.body.error.code, 'invalid_token')
    })

    it(`${name} returns 403 for a session without its key, or from a page of another origin`, async () => {
      const path = pathOf(route, overture.workspaceId)
      const body = takesBody(route) ? {} : undefined
      const cookie = browser.cookie
      const foreign = Object.entries({
        'another origin': { cookie, origin: 'https://evil.example', 'x-overture-console': browser.key },
        'another port': { cookie, origin: 'http://127.0.0.1:1', 'x-overture-console': browser.key },
        'an origin without a name': { cookie, origin: 'null', 'x-overture-console': browser.key },
        'no origin': { cookie, 'x-overture-console': browser.key },
        'another site': { cookie, 'x-overture-console': browser.key, 'sec-fetch-site': 'same-site' },
      })
      for (const [what, headers] of [['no header', { cookie, origin: overture.baseUrl }] as const, ...inTurn(foreign)]) {
        const reply = await client.send(route.method, path, body, { token: null, headers: { ...headersOf(route), ...headers } })
        assert.deepEqual([reply.status, reply.body.error?.code], [403, 'forbidden'], what)
      }
    })

    it(`${name} returns the same to a session as to its token`, async () => {
      // The request must be refused without an effect: a write gets an unknown field, and a stream an unknown parameter.
      const query = route.resumes ? '?nonsense=1' : ''
      const path = pathOf(route, overture.workspaceId) + query
      const body = takesBody(route) ? { nonsense: true } : undefined
      const withToken = await client.send(route.method, path, body, { headers: headersOf(route) })
      const withCookie = await browser.send(route.method, path, body, headersOf(route))
      assert.deepEqual([withCookie.status, withCookie.body.error?.code], [withToken.status, withToken.body.error?.code])
      assert.notEqual(withCookie.status, 401)
    })

    if (hasWorkspace(route)) {
      it(`${name} hides another workspace exactly like one that does not exist`, async () => {
        const foreign = await send(client, route, stranger.workspaceId)
        const absent = await send(client, route, randomUUID())
        assert.equal(foreign.status, 404)
        assert.deepEqual({ ...foreign.body.error, requestId: '' }, { ...absent.body.error, requestId: '' })
      })

      it(`${name} returns 400 for a path without valid UUIDs`, async () => {
        const reply = await send(client, route, 'not-a-uuid')
        assert.equal(reply.status, 400)
        assert.equal(reply.body.error.code, 'invalid_request')
      })
    }

    if (route.scope !== 'token' && !route.judgesScope) {
      it(`${name} returns 403 for a token with every scope but its own, and names it`, async () => {
        const [limited, session] = await without([route.scope, ...(route.orScopes ?? [])])
        const reply = await send(limited, route, overture.workspaceId)
        assert.equal(reply.status, 403)
        assert.equal(reply.body.error.code, 'insufficient_scope')
        assert.equal(reply.body.error.details.requiredScope, route.scope)
        const { status, body } = await session.send(route.method, pathOf(route, overture.workspaceId), undefined)
        assert.deepEqual([status, body.error.details.requiredScope], [403, route.scope])
      })
    }

    it(`${name} returns 400 for an unknown query parameter`, async () => {
      const reply = await client.send(
        route.method,
        `${pathOf(route, overture.workspaceId)}?nonsense=1`,
        takesBody(route) ? {} : undefined,
        { headers: headersOf(route) },
      )
      assert.equal(reply.status, 400)
      assert.ok(reply.body.error.details.issues.some((issue: { path: string }) => issue.path === '/nonsense'))
    })

    if (takesBody(route)) {
      it(`${name} returns 422 for an unknown body field`, async () => {
        const reply = await send(client, route, overture.workspaceId, { body: { nonsense: true } })
        assert.equal(reply.status, 422)
        assert.equal(reply.body.error.code, 'validation_failed')
        assert.ok(reply.body.error.details.issues.some((issue: { path: string }) => issue.path === '/nonsense'))
      })

      it(`${name} returns 422 for text that cannot be stored and for excessive nesting`, async () => {
        for (const raw of inTurn(['{"a":"\\u0000"}', '{"a":"\\ud800"}', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`])) {
          const reply = await send(client, route, overture.workspaceId, { raw })
          assert.equal(reply.status, 422)
        }
      })

      it(`${name} returns 400 for a body that is not JSON, and 415 for another media type`, async () => {
        const broken = await send(client, route, overture.workspaceId, { raw: '{"a":' })
        assert.equal(broken.status, 400)
        assert.equal(broken.body.error.code, 'invalid_json')
        const other = await send(client, route, overture.workspaceId, {
          raw: 'a=1',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        })
        assert.equal(other.status, 415)
      })

      it(`${name} returns 413 for a body over its limit`, async () => {
        const reply = await send(client, route, overture.workspaceId, {
          raw: `"${'x'.repeat((route.bodyLimitBytes ?? 1024 * 1024) + 1)}"`,
        })
        assert.equal(reply.status, 413)
        assert.equal(reply.body.error.code, 'payload_too_large')
      })
    }

    if (route.method !== 'GET') {
      it(`${name} returns 400 for an idempotency-key that is empty, too long or not printable`, async () => {
        for (const key of inTurn(['', 'x'.repeat(256), 'caf\u00e9'])) {
          const reply = await send(client, route, overture.workspaceId, { headers: { 'idempotency-key': key } })
          assert.equal(reply.status, 400, JSON.stringify(key))
          assert.equal(reply.body.error.code, 'invalid_idempotency_key')
        }
      })
    }
  }

  const keyless = routes.filter(({ action, write }) => action && !write)
  it('refuses an idempotency-key if the response cannot be repeated, and explains why', async () => {
    assert.ok(keyless.some(({ id }) => id === 'team.acceptInvitation') && keyless.some(({ id }) => id === 'sessions.create'))
    for (const route of keyless) {
      const reply = await send(client, route, overture.workspaceId, { headers: { 'idempotency-key': randomUUID() } })
      assert.deepEqual([reply.status, reply.body.error?.code], [400, 'invalid_idempotency_key'], route.id)
      assert.match(reply.body.error.message, /without an idempotency-key/)
    }
  })

  it('documents an idempotency-key exactly where a repeated request gets the stored response', () => {
    const { paths } = openApiDocument() as unknown as {
      paths: Record<string, Record<string, { operationId: string; parameters: { $ref?: string; name?: string }[] }>>
    }
    for (const { operationId, parameters } of Object.values(paths).flatMap(methods => Object.values(methods))) {
      const isListed = parameters.some(({ $ref, name }) => (name ?? $ref!.split('/').at(-1)) === 'idempotency-key')
      const route = routes.find(({ id }) => id === operationId)
      if (route) assert.equal(isListed, Boolean(route.write), operationId)
    }
  })

  /** The example of the body of each route that takes JSON, by the id of the route. */
  const exampleBodies = (): Map<string, unknown> => {
    const { paths, components } = openApiDocument() as unknown as {
      paths: Record<string, Record<string, { operationId: string; requestBody?: { content: Record<string, { schema: object }> } }>>
      components: { schemas: Record<string, object> }
    }
    return new Map(
      Object.values(paths)
        .flatMap(methods => Object.values(methods))
        .flatMap(({ operationId, requestBody }) => {
          const media = requestBody?.content['application/json']
          return media ? [[operationId, exampleOf(media.schema, components.schemas)] as const] : []
        }),
    )
  }

  it('accepts the example of its body, apart from references', async () => {
    for (const [id, body] of exampleBodies()) {
      const route = guarded.find(route => route.id === id)
      if (!route) continue
      const reply = await send(client, route, overture.workspaceId, { body })
      const said = JSON.stringify([id, body, reply.body.error])
      assert.ok(reply.status < 400 || !['invalid_request', 'validation_failed'].includes(reply.body.error.code), said)
      assert.ok(reply.status < 500, `the handler of ${id} threw; does it check that everything in its path exists? ${said}`)
    }
  })

  it('below a campaign reads the campaign first: one of another workspace does not exist', async () => {
    const created = await stranger.client.post(`/v1/workspaces/${stranger.workspaceId}/campaigns`, { name: 'Foreign' })
    const bodies = exampleBodies()
    const below = guarded.filter(route => hasWorkspace(route) && route.path.includes(':campaignId') && !route.streams)
    assert.ok(below.length > 20)
    for (const route of below) {
      const ask = (campaignId: string) =>
        send(client, { ...route, path: route.path.replace(':campaignId', campaignId) }, overture.workspaceId, {
          body: bodies.get(route.id) ?? {},
        })
      const [foreign, absent] = [await ask(created.body.data.id), await ask(randomUUID())]
      assert.deepEqual([foreign.status, absent.status], [404, 404], `${route.id}: ${JSON.stringify(foreign.body)}`)
    }
  })

  it('returns 405 with the allowed methods, before it asks for a token', async () => {
    const reply = await client.send('DELETE', `/v1/workspaces/${overture.workspaceId}/campaigns`, undefined, { token: null })
    assert.equal(reply.status, 405)
    assert.equal(reply.headers.allow, 'GET, HEAD, POST')
    assert.equal(reply.body.error.code, 'method_not_allowed')
  })

  it('returns 405 for every unsupported method, even if another path has a parameter in its place', async () => {
    const methodsOf = Map.groupBy(routes, ({ path }) => path)
    for (const [path, own] of methodsOf) {
      const supported = new Set<string>(own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))
      const allow = [...supported].sort().join(', ')
      const url = path.replace(/:\w+/g, overture.workspaceId)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        if (supported.has(method)) continue
        const { statusCode, headers } = await overture.app.inject({ method, url, headers: { host: 'localhost' } })
        assert.deepEqual([statusCode, headers.allow], [405, allow], `${method} ${path}`)
      }
    }
  })

  it('returns 404 in the error envelope if there is no route', async () => {
    const reply = await client.get('/v1/nonsense', { token: null })
    assert.equal(reply.status, 404)
    assert.equal(reply.body.error.code, 'not_found')
  })

  it('does not start when it declares no scope', () => {
    const undeclared = { ...routes[0]!, scope: undefined } as unknown as Route
    assert.throws(() => mountRoutes(overture.app, overture.ctx, [undeclared], {} as RequestGuards), /declares no scope/)
  })

  it('does not start when it is a write that does not declare its action, or its cost for tokens with limits', () => {
    const write = routes.find(route => route.write)!
    for (const fact of ['action', 'cost']) {
      const undeclared = { ...write, [fact]: undefined } as unknown as Route
      assert.throws(() => mountRoutes(overture.app, overture.ctx, [undeclared], {} as RequestGuards), new RegExp(`declares no ${fact}`))
    }
  })
})

describe('the OpenAPI document', () => {
  it('describes every route of the server and nothing else', () => {
    const described = Object.entries(openApiDocument().paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    )
    const mounted = routes.map(route => `${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`)
    assert.deepEqual(described.sort(), mounted.sort())
  })

  it('gives every operation a name of its own and lists its error bodies', () => {
    const operations = Object.values(
      openApiDocument().paths as Record<string, Record<string, { operationId: string; responses: object }>>,
    ).flatMap(Object.values)
    assert.equal(new Set(operations.map(operation => operation.operationId)).size, operations.length)
    for (const operation of operations)
      assert.ok(Object.keys(operation.responses).filter(status => Number(status) >= 400).length >= 2, operation.operationId)
  })

  it('names every operation by its resource and what is done to it, and says which action a write is', () => {
    for (const { id, write, action } of routes) {
      assert.match(id, /^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/)
      if (write) assert.ok(action, `${id} does not say which action it is`)
    }
  })

  it('has valid examples: for every schema, every parameter and every body', () => {
    interface Media {
      schema: { $ref?: string; format?: string }
      example?: unknown
    }
    interface Described {
      operationId: string
      parameters: object[]
      requestBody?: { content: Record<string, Media> }
      responses: Record<string, { content?: Record<string, Media> }>
    }
    const document = openApiDocument() as unknown as {
      paths: Record<string, Record<string, Described>>
      components: {
        schemas: Record<string, { examples?: unknown[]; properties?: object; oneOf?: object[]; anyOf?: object[] }>
        parameters: Record<string, Media>
        responses: Record<string, { content?: Record<string, Media> }>
      }
    }
    for (const [name, { examples, properties, oneOf, anyOf }] of Object.entries(document.components.schemas)) {
      if (properties || oneOf || anyOf) assert.ok(examples, `${name} has no example`)
      for (const example of examples ?? []) assert.equal(problemsWith(name, example as Record<string, unknown>), null, name)
    }
    const judge = (where: string, { schema, example }: Media): void => {
      assert.ok(example !== undefined, `${where} has no example`)
      assert.equal(problemsWithSchema(schema, example), null, where)
    }
    for (const [name, parameter] of Object.entries(document.components.parameters)) judge(name, parameter)
    for (const operation of Object.values(document.paths).flatMap(methods => Object.values(methods))) {
      for (const parameter of operation.parameters)
        if (!('$ref' in parameter)) judge(`a parameter of ${operation.operationId}`, parameter as Media)
      for (const media of Object.values(operation.requestBody?.content ?? {}))
        if (!media.schema.$ref) judge(`the body of ${operation.operationId}`, media)
      for (const media of Object.values(operation.responses).flatMap(({ content = {} }) => Object.values(content)))
        if (!media.schema.$ref && media.schema.format !== 'binary') judge(`an answer of ${operation.operationId}`, media)
    }
    for (const [name, { content = {} }] of Object.entries(document.components.responses))
      for (const media of Object.values(content)) if (!media.schema.$ref) judge(`the answer ${name}`, media)
  })

  it('mentions `if-match` at an `updatedAt` exactly if changes of this resource take it', () => {
    interface Method {
      parameters: { $ref?: string }[]
      responses: Record<string, { content?: Record<string, { schema: Shape }> }>
    }
    interface Shape {
      $ref?: string
      description?: string
      properties?: Record<string, Shape>
    }
    const { paths, components } = openApiDocument() as unknown as {
      paths: Record<string, Record<string, Method>>
      components: { schemas: Record<string, Shape> }
    }
    const at = (shape: Shape | undefined): Shape | undefined => (shape?.$ref ? components.schemas[shape.$ref.split('/').at(-1)!] : shape)
    const checked = Object.entries(paths).flatMap(([path, { get, patch, put }]) => {
      const change = patch ?? put
      const { updatedAt } = at(at(get?.responses['200']?.content?.['application/json']?.schema)?.properties?.data)?.properties ?? {}
      if (!change || !updatedAt) return []
      const isTaken = change.parameters.some(({ $ref }) => $ref?.endsWith('/if-match'))
      assert.equal(Boolean(updatedAt.description?.includes('`if-match`')), isTaken, path)
      return [isTaken]
    })
    assert.deepEqual([...new Set(checked)].sort(), [false, true])
  })

  it('types every value, and gives each schema one name, so that tools can generate types', () => {
    const NOTES = new Set(['description', 'title', 'default', 'examples'])
    const untyped: string[] = []
    const look = (schema: unknown, where: string): void => {
      if (schema === null || typeof schema !== 'object') return
      if ('$id' in schema) untyped.push(`${where} has an $id`)
      if ('enum' in schema && Array.isArray(schema.enum) && schema.enum.includes(null)) untyped.push(`${where} has null in a list of words`)
      for (const [key, value] of Object.entries(schema)) {
        if (key === 'examples' || key === 'example') continue
        if (key === 'properties')
          for (const [name, property] of Object.entries(value as Record<string, object>))
            if (Object.keys(property).every(word => NOTES.has(word))) untyped.push(`${where}.${name}`)
        look(value, `${where}.${key}`)
      }
    }
    look(openApiDocument().components, '')
    assert.deepEqual(untyped, [])
  })
})
