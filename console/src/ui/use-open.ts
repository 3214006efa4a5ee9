import { useState } from 'react'
import { afterPaint } from './after-paint.ts'

/**
 * Whether a list is open. The press on its button or on one of its items shows at once; to open and to close the list takes ten times as
 * long, and is done behind that frame.
 */
export function useOpen(isOpenFirst: boolean): { open: boolean; onOpenChange: (isOpen: boolean) => void } {
  const [open, setOpen] = useState(isOpenFirst)
  return { open, onOpenChange: isOpen => afterPaint(() => setOpen(isOpen)) }
}
