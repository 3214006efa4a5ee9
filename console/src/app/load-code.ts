/** The files that are in the cache of the browser or being fetched, by URL. */
const fetched = new Map<string, Promise<unknown>>()

/** A lost connection may never respond. After the response has begun, a slow connection may take as long as it needs. */
const ANSWER_WITHIN_MS = 10_000

async function fetchWhole(address: string): Promise<unknown> {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), ANSWER_WITHIN_MS)
  const response = await fetch(address, { signal: patience.signal }).finally(() => clearTimeout(timer))
  // The router recognizes a new version of the console by this message, which is that of a failed import.
  if (!response.ok) throw new Error(`Failed to fetch dynamically imported module: ${address} answered ${response.status}`)
  return response.arrayBuffer()
}

function fetchOnce(address: string): Promise<unknown> {
  // Files that the page itself names have been loaded, or this code would not run.
  if (document.querySelector(`[href="${address}"], [src="${address}"]`)) return Promise.resolve()
  const known = fetched.get(address)
  if (known) return known
  const attempt = fetchWhole(address)
  fetched.set(address, attempt)
  attempt.catch(() => fetched.delete(address))
  return attempt
}

/**
 * Imports code after all of its files have arrived. A browser never repeats an import that has failed as long as the page is open, but a
 * fetch can be repeated. The build calls this for every `import()`, see vite.config.ts.
 *
 * It fails only after its last file has arrived or failed. Otherwise the next attempt would wait for a file that this attempt has requested,
 * and its failure would count as a second one.
 */
export async function loadCode<Module>(load: () => Promise<Module>, files: readonly string[] = []): Promise<Module> {
  const attempts = files.map(file => fetchOnce(`/${file}`))
  await Promise.allSettled(attempts)
  await Promise.all(attempts)
  return load()
}
