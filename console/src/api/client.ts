import { Overture } from '@overture/sdk'
import { noteStream } from '@/data/live-state.ts'

const isStream = (input: RequestInfo | URL): boolean => String(input).includes('/events/stream')

/** The stream itself tells nobody whether it is open, and the sidebar shows it: so it is seen here. */
const watchedFetch: typeof fetch = async (input, init) => {
  if (!isStream(input)) return fetch(input, init)
  try {
    const response = await fetch(input, init)
    noteStream(response.ok ? 'live' : 'offline')
    return response
  } catch (error) {
    noteStream('offline')
    throw error
  }
}

/**
 * The console knows the API as every program does: through the SDK. It proves itself with the cookie of the session, which no
 * script can read, and with a header that pages of other origins cannot send.
 */
export const clientFor = (workspaceId?: string): Overture =>
  new Overture({
    baseUrl: '',
    workspaceId,
    credentials: 'same-origin',
    headers: { 'x-overture-console': '1' },
    fetch: watchedFetch,
    // A person at a screen wants to know soon; the queries try again by themselves.
    retries: 1,
    retryForMs: 5000,
  })
