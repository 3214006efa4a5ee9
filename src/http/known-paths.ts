import { AppError } from '../lib/errors.ts'
import type { Route } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The path that matches with another method, when the router found no route. */
    knownPath?: KnownPath | undefined
  }
}

interface KnownPath {
  /** As Fastify writes it: `/v1/workspaces/:workspaceId`. */
  path: string
  /** The value of its `Allow` header. */
  allow: string
}

/**
 * All paths with their methods. Used only when the router found nothing, to distinguish a wrong method from a wrong path: registering a
 * route for every unsupported method would mean thousands of routes at every start.
 */
export class KnownPaths {
  readonly #methods = new Map<string, Set<string>>()
  #patterns: [pattern: RegExp, known: KnownPath][] | undefined

  add(routes: readonly Pick<Route, 'method' | 'path'>[]): void {
    this.#patterns = undefined
    for (const { method, path } of routes) {
      const methods = this.#methods.get(path) ?? new Set<string>()
      this.#methods.set(path, methods.add(method))
      if (method === 'GET') methods.add('HEAD')
    }
  }

  /**
   * Literal paths that also match a path with a parameter, with the methods that only the other path supports: a GET of `/plans/apply` must
   * not count as a GET of `/plans/:planId`.
   */
  *shadows(): Generator<KnownPath & { methods: string[] }> {
    const open = [...this.#methods]
      .filter(([path]) => path.includes(':'))
      .map(([path, methods]) => ({ path, methods, pattern: patternOf(path) }))
    for (const [path, own] of this.#methods) {
      const covering = open.filter(other => other.path !== path && rankOf(path) < rankOf(other.path) && other.pattern.test(path))
      const methods = [...new Set(covering.flatMap(other => [...other.methods]))].filter(method => !own.has(method))
      if (methods.length > 0) yield { path, methods, allow: allowOf(own) }
    }
  }

  find(url: string): KnownPath | undefined {
    this.#patterns ??= [...this.#methods]
      .sort(([one], [other]) => (rankOf(one) < rankOf(other) ? -1 : 1))
      .map(([path, methods]) => [patternOf(path), { path, allow: allowOf(methods) }])
    const asked = decoded(url.split(/[?#]/, 1)[0]!)
    return this.#patterns.find(([pattern]) => pattern.test(asked))?.[1]
  }
}

const allowOf = (methods: ReadonlySet<string>): string => [...methods].sort().join(', ')

/** The order of the router: literal segments before parameters, and parameters before wildcards. */
const rankOf = (path: string): string => path.replace(/:\w+/g, '\uFFFE').replace(/\*$/, '\uFFFF')

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.+]/g, '\\$&').replace(/:\w+/g, '[^/]{0,512}').replace(/\*$/, '.*')}$`)

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

export const wrongMethod = ({ allow }: KnownPath): AppError =>
  new AppError('method_not_allowed', `This path supports ${allow}.`, null, { allow })
