import type { ReactElement, ReactNode } from 'react'

export interface PopoverProps {
  open: boolean
  onOpenChange: (isOpen: boolean) => void
  /** The button that opens it. */
  trigger: ReactElement
  /** Its name, for screen readers and as its first line. */
  title: ReactNode
  children: ReactNode
}
