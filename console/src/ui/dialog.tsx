import { lazy, Suspense } from 'react'
import type { DialogProps, SheetProps } from './dialog-props.ts'

const loadParts = () => import('./dialog-parts.tsx')
const LazyDialog = lazy(() => loadParts().then(module => ({ default: module.DialogParts })))
const LazySheet = lazy(() => loadParts().then(module => ({ default: module.SheetParts })))

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
