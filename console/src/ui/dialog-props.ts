import type { ReactNode } from 'react'

export interface ClosingProps {
  open: boolean
  onClose: () => void
  /** The address says whether it is open: then the way back closes it by itself. */
  isInAddress?: boolean
  /** What would be lost by closing it, also when nothing was typed: who does so in passing is asked. */
  loses?: string
}

export interface DialogProps extends ClosingProps {
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
