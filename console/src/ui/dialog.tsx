import { Suspense } from 'react'
import type { DialogProps, SheetProps } from './dialog-props.ts'
import { lazyPart } from './lazy-part.ts'

const loadParts = () => import('./dialog-parts.tsx')
const LazyDialog = lazyPart(() => loadParts().then(module => module.DialogParts))
const LazySheet = lazyPart(() => loadParts().then(module => module.SheetParts))

/** A question in the middle of the screen; on a phone it comes from below. It is loaded right behind the screen. */
export const Dialog = (props: DialogProps) => (
  <Suspense>
    <LazyDialog {...props} />
  </Suspense>
)

/** A panel from the side: for what belongs to the screen behind it, like one row of a list. */
export const Sheet = (props: SheetProps) => (
  <Suspense>
    <LazySheet {...props} />
  </Suspense>
)
