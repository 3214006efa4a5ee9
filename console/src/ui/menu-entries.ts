import type { ReactElement, ReactNode } from 'react'
import type { Icon } from './icons.tsx'

export interface MenuEntry {
  label: ReactNode
  icon?: Icon
  onSelect: () => void
  /** What can not be undone. */
  isDangerous?: boolean
  disabled?: boolean
  pending?: boolean
  hint?: ReactNode
}

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement
  /** A null is a line between groups. */
  entries: readonly (MenuEntry | null)[]
  align?: 'start' | 'end'
  header?: ReactNode
}
