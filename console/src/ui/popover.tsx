import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'

interface PopoverProps {
  open: boolean
  onOpenChange: (isOpen: boolean) => void
  trigger: ReactElement
  /** Its first line, which also names it for screen readers. */
  title: ReactNode
  children: ReactNode
}

/** A small form that belongs to the button that opened it. */
export function Popover({ open, onOpenChange, trigger, title, children }: PopoverProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="start" collisionPadding={12} className="z-50">
          <Base.Popup className="popup w-[min(20rem,calc(100vw-1.5rem))] p-3">
            <Base.Title className="mb-2 font-medium text-sm">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
