import { Overture } from '@overture/sdk'
import { noteStream } from '@/data/live-state.ts'
import { readRemembered, remember } from '@/ui/remembered.ts'

const KEY = 'overture.session-key'
let keptHere: string | null = null

/** The key of the session, for all tabs of this origin. A cookie would be sent to every port of the host; this is not. */
export function keepSessionKey(key: string | null): void {
  keptHere = key
  remember(KEY, key)
}

/** Without a key, the service answers that nobody is signed in. */
export const sessionKey = (): string => readRemembered(KEY) ?? keptHere ?? 'none'

const isStream = (input: RequestInfo | URL): boolean => String(input).includes('/events/stream')

/** The stream itself tells nobody whether it is open, and the sidebar shows it: so it is seen here. */
const watchedFetch: typeof fetch = async (input, init) => {
  const signed = { ...init, headers: { ...(init?.headers as Record<string, string> | undefined), 'x-overture-console': sessionKey() } }
  if (!isStream(input)) return fetch(input, signed)
  try {
    const response = await fetch(input, signed)
    noteStream(response.ok ? 'live' : 'offline')
    return response
  } catch (error) {
    noteStream('offline')
    throw error
  }
}

/**
 * The console knows the API as every program does: through the SDK. It proves itself with the cookie of the session, which no
 * script can read, and with the key of the session, which pages of other origins do not know.
 */
export const clientFor = (workspaceId?: string): Overture =>
  new Overture({
    baseUrl: '',
    workspaceId,
    credentials: 'same-origin',
    fetch: watchedFetch,
    // A person at a screen wants to know soon; the queries try again by themselves.
    retries: 1,
    retryForMs: 5000,
  })
