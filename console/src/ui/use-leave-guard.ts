import { useEffect, useRef } from 'react'

/** While something would be lost, the browser asks before it loads the page again or goes to another address. */
export function useLeaveGuard(loses: () => boolean): void {
  const latest = useRef(loses)
  latest.current = loses
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (latest.current()) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
}
