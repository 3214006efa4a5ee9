import { useBlocker } from '@tanstack/react-router'
import { useEffect, useId, useRef } from 'react'
import { lazyPart } from './lazy-part.ts'
import { closesLayer } from './use-closing.ts'

const LeaveDialog = lazyPart(() => import('./leave-dialog.tsx').then(module => module.LeaveDialog))

/** The forms of the screen that would lose something: the first of them asks for all. */
const losing = new Set<string>()

/**
 * While something is typed that is not saved, who leaves is asked first: by us on the way to another screen, by the browser before it loads
 * the page again. `useLeaveGuard` is for what only the browser can lose.
 */
export function LeaveGuard({ loses }: { loses: boolean }) {
  const id = useId()
  useEffect(() => {
    if (!loses) return
    losing.add(id)
    return () => void losing.delete(id)
  }, [id, loses])
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next, action }) => {
      const [first] = losing
      return first === id && current.pathname !== next.pathname && !closesLayer(action)
    },
    enableBeforeUnload: loses,
    withResolver: true,
  })
  const latest = useRef(leaving)
  latest.current = leaving
  // A form that goes while it is asked about has nothing left to lose: nobody could answer any more.
  useEffect(() => () => latest.current.proceed?.(), [])
  if (leaving.status !== 'blocked') return null
  return <LeaveDialog onStay={leaving.reset} onLeave={leaving.proceed} />
}
