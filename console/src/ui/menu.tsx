import { lazy, Suspense } from 'react'
import type { MenuProps } from './menu-entries.ts'

const Parts = lazy(() => import('./menu-parts.tsx').then(module => ({ default: module.MenuParts })))

/** A button that opens a list of things to do. It shows at once; what it opens with is loaded right behind the screen. */
export function Menu(props: MenuProps) {
  return (
    <Suspense fallback={props.trigger}>
      <Parts {...props} />
    </Suspense>
  )
}
