import { toast } from './toast.tsx'

const AGAIN_MS = 3000

/** Said once, however much is asked for. */
let isTold = false

/** Whether the service is there at all. In front of one that is starting, a proxy answers with an error of its own. */
const answers = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
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

/**
 * Loads code, however long there is no connection. It fails only when the service answers and the file is gone: then there is a new
 * version of the console.
 */
export async function persistently<Module>(load: () => Promise<Module>): Promise<Module> {
  for (;;) {
    try {
      const module = await load()
      isTold = false
      return module
    } catch (error) {
      if (await answers()) throw error
      if (!isTold)
        toast.failed('The service does not answer', 'What you asked for opens as soon as it does. What you have typed is still there.')
      isTold = true
      await untilOnline()
    }
  }
}
