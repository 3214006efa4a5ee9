import { cloneElement, type ReactElement, Suspense, useState } from 'react'
import { lazyCode } from './lazy-part.ts'
import type { PopoverProps } from './popover-props.ts'

const Parts = lazyCode(() => import('./popover-parts.tsx').then(module => module.PopoverParts))

/** A small form that belongs to the button that opened it. Until it is opened for the first time there is only the button. */
export function Popover(props: PopoverProps) {
  const [wasOpen, setWasOpen] = useState(props.open)
  if (props.open && !wasOpen) setWasOpen(true)
  const closed = cloneElement(props.trigger as ReactElement<{ onClick: () => void }>, { onClick: () => props.onOpenChange(true) })
  return <Suspense fallback={closed}>{wasOpen ? <Parts {...props} /> : closed}</Suspense>
}
