import { Popover as Base } from '@base-ui/react/popover'
import { type ReactNode, useDeferredValue } from 'react'
import { afterPaint } from './after-paint.ts'
import type { PopoverProps } from './popover-props.ts'

export function PopoverParts({ open, onOpenChange, trigger, title, children }: PopoverProps) {
  return (
    <Base.Root open={open} onOpenChange={isOpen => afterPaint(() => onOpenChange(isOpen))}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="start" collisionPadding={12} className="z-50">
          <Base.Popup className="popup w-[min(20rem,calc(100vw-1.5rem))] p-3">
            <Base.Title className="mb-2 font-medium text-sm">{title}</Base.Title>
            <Behind>{children}</Behind>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/**
 * The form is opened at once, and filled in the frame after it. It is not to be seen before, because it fades in. Base UI has
 * looked for what to focus by then, so the first field has to have `autoFocus`.
 */
function Behind({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null
}
