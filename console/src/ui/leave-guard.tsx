import { useBlocker } from '@tanstack/react-router'
import { useEffect, useId, useRef } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { closesLayer } from './use-closing.ts'

/** The forms of the screen with unsaved input. The first of them asks for all. */
const losing = new Set<string>()

/**
 * Asks users before they lose unsaved input: the console when they go to another screen, the browser when they reload the page.
 * `useLeaveGuard` is for input that only a reload would lose.
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
  return (
    <Dialog
      open
      onClose={leaving.reset}
      size="sm"
      title="Leave without saving?"
      description="Your changes will be lost."
      actions={
        <>
          <Button onClick={leaving.reset}>Stay</Button>
          <Button variant="danger" onClick={leaving.proceed}>
            Leave
          </Button>
        </>
      }
    />
  )
}
