const EVERY_MS = 1500

/** Hears how far something has come, like `40 %`. */
type Note = (text: string) => void

/**
 * Prints what is being done, and repeats it while it takes, so that nobody wonders whether the start has stopped. It prints whole lines,
 * because several things may be under way at once.
 */
export async function showProgress<T>(what: string, work: (note: Note) => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  let note = ''
  console.log(`${what} ...`)
  const timer = setInterval(() => {
    console.log(`  ${what}: ${note}${note && ', '}${Math.round((performance.now() - startedMs) / 1000)} s`)
  }, EVERY_MS)
  try {
    return await work(text => {
      note = text
    })
  } finally {
    clearInterval(timer)
  }
}
