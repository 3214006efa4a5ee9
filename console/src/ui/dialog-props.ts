import type { ReactNode } from 'react'

export interface DialogProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  /** The buttons, the one that does it last. */
  actions?: ReactNode
  size?: 'sm' | 'md' | 'lg'
  children?: ReactNode
}

export interface SheetProps extends Omit<DialogProps, 'size'> {
  side?: 'left' | 'right'
  /** Without space around the content. */
  isFlush?: boolean
  className?: string
}
