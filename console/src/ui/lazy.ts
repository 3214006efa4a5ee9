import { lazyRouteComponent } from '@tanstack/react-router'
import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react'
import { toast } from './toast.tsx'

const AGAIN_MS = 3000
/** A connection that was lost without notice never responds. */
const ANSWER_WITHIN_MS = 5000
/** Between two attempts while the service responds. */
const PAUSE_MS = 500

/** One message for all files that are missing. */
let isTold = false

/** Whether the service responds at all. While it starts, a proxy in front of it responds with its own error. */
const answers = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
    response => response.status < 500,
    () => false,
  )

const untilOnline = (): Promise<void> =>
  new Promise(resolve => {
    const go = () => {
      clearTimeout(timer)
      removeEventListener('online', go)
      resolve()
    }
    const timer = setTimeout(go, AGAIN_MS)
    addEventListener('online', go)
  })

const pause = (): Promise<void> => new Promise(resolve => setTimeout(resolve, PAUSE_MS))

/**
 * Loads code, however long the connection is lost. It fails only if the service responds and the file is missing twice, because then there is
 * a new version of the console. A single failure may be a short interruption.
 */
async function persistently<Module>(load: () => Promise<Module>): Promise<Module> {
  for (let isSecond = false; ; ) {
    try {
      const module = await load()
      isTold = false
      return module
    } catch (error) {
      if (await answers()) {
        if (isSecond) throw error
        isSecond = true
        await pause()
        continue
      }
      isSecond = false
      if (!isTold) toast.failed('Overture is not responding', 'The page opens as soon as the connection is back. Your input is kept.')
      isTold = true
      await untilOnline()
    }
  }
}

/**
 * The code of a screen. Without a connection, the open screen stays with all input until the next one can be loaded. The router alone would
 * reload the page, which then shows nothing. Now it does so only for a new version.
 */
export const lazyScreen: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => persistently(load), name)

/** A large part that most screens do not show, such as the library that draws charts. `meanwhile` is shown until it is loaded. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>, meanwhile?: (props: Props) => ReactNode) {
  const Part = lazy(() => persistently(load).then(part => ({ default: part }))) as unknown as ComponentType<Props>
  return (props: Props) => createElement(Suspense, { fallback: meanwhile?.(props) }, createElement(Part, props))
}
