import { useBlocker } from '@tanstack/react-router'
import { useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { closesLayer } from './use-closing.ts'

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
  // A form that is unmounted during the question has nothing left to lose, so the navigation continues.
  useEffect(() => () => latest.current.proceed?.(), [])
  if (leaving.status !== 'blocked') return null
  return <LeaveDialog onStay={leaving.reset} onLeave={leaving.proceed} />
}

function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <Dialog
      open
      onClose={onStay}
      size="sm"
      title="Leave without saving?"
      description="Your changes will be lost."
      actions={
        <>
          <Button onClick={onStay}>Stay</Button>
          <Button variant="danger" onClick={onLeave}>
            Leave
          </Button>
        </>
      }
    />
  )
}
