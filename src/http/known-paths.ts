import { AppError } from '../lib/errors.ts'
import type { Route } from './route.ts'

interface KnownPath {
  /** As Fastify writes it: `/v1/workspaces/:workspaceId`. */
  path: string
  /** What it takes, as the header of that name says it. */
  allow: string
}

/**
 * What there is, whatever the method. Asked only when the router has found nothing, to tell a wrong method from a wrong path: a route
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

  find(url: string): KnownPath | undefined {
    this.#patterns ??= [...this.#methods].map(([path, methods]) => [patternOf(path), { path, allow: [...methods].sort().join(', ') }])
    const asked = decoded(url.split(/[?#;]/, 1)[0]!)
    return this.#patterns.find(([pattern]) => pattern.test(asked))?.[1]
  }
}

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
  new AppError('method_not_allowed', `This path takes ${allow}.`, null, { allow })
