import { cloneElement, type ReactElement, Suspense } from 'react'
import { lazyPart } from './lazy-part.ts'
import type { PopoverProps } from './popover-props.ts'

const Parts = lazyPart(() => import('./popover-parts.tsx').then(module => module.PopoverParts))

/** A small form that belongs to the button that opened it. The button shows at once; the form is loaded right behind the screen. */
export function Popover(props: PopoverProps) {
  return (
    <Suspense fallback={cloneElement(props.trigger as ReactElement<{ onClick: () => void }>, { onClick: () => props.onOpenChange(true) })}>
      <Parts {...props} />
    </Suspense>
  )
}
