import { type Joined, Overture } from '@overture/sdk'
import { noteOpened, noteStream } from '@/data/live-state.ts'
import { readRemembered, remember } from '@/ui/store.ts'

const KEY = 'overture.session-key'
let keptHere: string | null = null

/** The key of the session, for all tabs of this origin. Unlike a cookie, it is not sent to other ports of the host. */
function keepSessionKey(key: string | null): void {
  keptHere = key
  remember(KEY, key)
}

/** With `none`, the service responds that no user is signed in. */
export const sessionKey = (): string => readRemembered(KEY) ?? keptHere ?? 'none'

const isStream = (input: RequestInfo | URL): boolean => String(input).includes('/events/stream')

/** The stream does not report whether it is open, but the sidebar shows it, so this function watches the response. */
const watchedFetch: typeof fetch = async (input, init) => {
  const signed = { ...init, headers: { ...(init?.headers as Record<string, string> | undefined), 'x-overture-console': sessionKey() } }
  if (!isStream(input)) return fetch(input, signed)
  try {
    const response = await fetch(input, signed)
    if (response.ok) noteOpened()
    else noteStream('offline')
    return response
  } catch (error) {
    noteStream('offline')
    throw error
  }
}

/**
 * The console uses the API through the SDK, like every program. It authenticates with the cookie of the session, which no script can read,
 * and with the key of the session, which pages of other origins do not know.
 */
export const clientFor = (workspaceId?: string): Overture =>
  new Overture({
    baseUrl: '',
    workspaceId,
    credentials: 'same-origin',
    fetch: watchedFetch,
    // Users should see an error soon. Queries are retried automatically.
    retries: 1,
    retryForMs: 5000,
  })

const client = clientFor()

/** The key is stored before any other request, because the cookie alone is not enough. */
async function begin<Begun extends { sessionKey: string }>(asked: PromiseLike<Begun>): Promise<Begun> {
  const begun = await asked
  keepSessionKey(begun.sessionKey)
  return begun
}

export const readIdentity = (signal?: AbortSignal) => client.sessions.getIdentity(signal ? { signal } : {})
export const signInWithCode = (code: string) => begin(client.sessions.create({ code }))
export const signInWithToken = (token: string) => begin(client.sessions.create({}, { headers: { authorization: `Bearer ${token}` } }))
export const acceptInvitation = (code: string, name: string): Promise<Joined> => begin(client.team.acceptInvitation({ code, name }))

export async function signOut(): Promise<void> {
  await client.sessions.signOut()
  keepSessionKey(null)
}
