import { useState } from 'react'

/** Something that is tried and leads away when it works: it stays pending then, and shows what went wrong otherwise. */
export function useAttempt(isPendingAtFirst = false) {
  const [isPending, setPending] = useState(isPendingAtFirst)
  const [error, setError] = useState<unknown>(null)
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    setPending(true)
    setError(null)
    try {
      await work()
    } catch (cause) {
      setError(cause)
      setPending(false)
    }
  }
  return { isPending, error, attempt, stop: () => setPending(false) }
}
