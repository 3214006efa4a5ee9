import { cloneElement, type ReactElement, Suspense, useState } from 'react'
import { lazyPart } from './lazy-part.ts'
import type { MenuProps } from './menu-entries.ts'

const Parts = lazyPart(() => import('./menu-parts.tsx').then(module => module.MenuParts))

/** A button that opens a list of things to do. It shows at once; what it opens with is loaded right behind the screen, and a click before that is not lost. */
export function Menu(props: MenuProps) {
  const [isAwaited, setAwaited] = useState(false)
  return (
    <Suspense fallback={cloneElement(props.trigger as ReactElement<{ onClick: () => void }>, { onClick: () => setAwaited(true) })}>
      <Parts {...props} isOpenFirst={isAwaited} />
    </Suspense>
  )
}
