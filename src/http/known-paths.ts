import { AppError } from '../lib/errors.ts'
import type { Route } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Where the router has found nothing: the path that there is, for other methods. */
    knownPath?: KnownPath | undefined
  }
}

interface KnownPath {
  /** As Fastify writes it: `/v1/workspaces/:workspaceId`. */
  path: string
  /** What it takes, as the header of that name says it. */
  allow: string
}

/**
 * All paths, for any method. Used only when the router has found nothing, to tell a wrong method from a wrong path: a route
 * for each of the thirty methods that a path does not take would be thousands, made at every start.
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
   * Where a path with a parameter would answer in place of a path that is written out and does not support the method: a GET of
   * `/plans/apply` is no GET of `/plans/:planId`.
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

/** In the order of the router: a segment that is written out counts more than a parameter, and that more than the rest of a path. */
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
