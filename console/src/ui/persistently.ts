import { toast } from './toast.tsx'

const AGAIN_MS = 3000
/** A connection that was lost without a word never answers. */
const ANSWER_WITHIN_MS = 5000
/** Between two attempts while the service answers. */
const PAUSE_MS = 500

/** Said once, however much is asked for. */
let isTold = false

/** Whether the service is there at all. In front of one that is starting, a proxy answers with an error of its own. */
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
 * Loads code, however long there is no connection. It fails only when the service answers and the file is gone, also at the second look:
 * then there is a new version of the console. Once alone may be a line that was cut for a moment.
 */
export async function persistently<Module>(load: () => Promise<Module>): Promise<Module> {
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
      if (!isTold)
        toast.failed('The service does not answer', 'What you asked for opens as soon as it does. What you have typed is still there.')
      isTold = true
      await untilOnline()
    }
  }
}
