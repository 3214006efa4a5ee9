import { useEffect, useState } from 'react'
import { afterPaint } from './after-paint.ts'

/** Base UI hides its focus guards from screen readers, and yet the Tab key stops at them: that is a barrier. They are empty, so nothing is read. */
function showGuards(): void {
  for (const guard of document.querySelectorAll('[data-base-ui-focus-guard]')) guard.removeAttribute('aria-hidden')
}

/**
 * Whether a list is open. The press on its button or on one of its items shows at once; to open and to close the list takes ten times as
 * long, and is done behind that frame.
 */
export function useOpen(isOpenFirst: boolean): { open: boolean; onOpenChange: (isOpen: boolean) => void } {
  const [open, setOpen] = useState(isOpenFirst)
  useEffect(() => {
    if (open) afterPaint(showGuards)
  }, [open])
  return { open, onOpenChange: isOpen => afterPaint(() => setOpen(isOpen)) }
}
