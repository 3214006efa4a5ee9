/** By address: files that lie in the cache of the browser, or are on their way there. */
const fetched = new Map<string, Promise<unknown>>()

/** A connection that was lost without a word never answers. How long the rest takes depends on the line. */
const ANSWER_WITHIN_MS = 10_000

async function fetchWhole(address: string): Promise<unknown> {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), ANSWER_WITHIN_MS)
  const response = await fetch(address, { signal: patience.signal }).finally(() => clearTimeout(timer))
  // In the words of a failed import, by which the router knows that there is a new version of the console.
  if (!response.ok) throw new Error(`Failed to fetch dynamically imported module: ${address} answered ${response.status}`)
  return response.arrayBuffer()
}

function fetchOnce(address: string): Promise<unknown> {
  // What the page names itself has been loaded, or nothing of this would run.
  if (document.querySelector(`[href="${address}"], [src="${address}"]`)) return Promise.resolve()
  const known = fetched.get(address)
  if (known) return known
  const attempt = fetchWhole(address)
  fetched.set(address, attempt)
  attempt.catch(() => fetched.delete(address))
  return attempt
}

/**
 * Imports code when all of its files have come. A browser remembers for as long as the page lives that an import has failed, and would
 * not ask for the file again; a fetch that has failed can be repeated. The build calls this for every `import()`, see vite.config.ts.
 *
 * It fails only after its last file has come or failed. Otherwise the next look would wait for a file that this one has asked for, and
 * its failure would look like a second one.
 */
export async function loadCode<Module>(load: () => Promise<Module>, files: readonly string[] = []): Promise<Module> {
  const attempts = files.map(file => fetchOnce(`/${file}`))
  await Promise.allSettled(attempts)
  await Promise.all(attempts)
  return load()
}
