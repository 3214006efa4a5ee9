import { lazyPart } from './lazy-part.ts'

const loadParts = () => import('./dialog-parts.tsx')

/** A question in the middle of the screen; on a phone it comes from below. It is loaded right behind the screen. */
export const Dialog = lazyPart(() => loadParts().then(module => module.DialogParts))

/** A panel from the side: for what belongs to the screen behind it, like one row of a list. */
export const Sheet = lazyPart(() => loadParts().then(module => module.SheetParts))
