import { cloneElement, type HTMLAttributes, type ReactElement, Suspense } from 'react'
import { lazyCode } from './lazy-part.ts'
import type { MenuProps } from './menu-entries.ts'
import { useAsked } from './use-asked.ts'

const Parts = lazyCode(() => import('./menu-parts.tsx').then(module => module.MenuParts))

/** A button that opens a list of things to do. Until it is pressed it is nothing but a button: a list of rows has fifty of them. */
export function Menu(props: MenuProps) {
  const { askedBy, asking } = useAsked()
  const closed = cloneElement(props.trigger as ReactElement<HTMLAttributes<HTMLElement>>, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    ...asking,
  })
  return <Suspense fallback={closed}>{askedBy ? <Parts {...props} askedBy={askedBy} /> : closed}</Suspense>
}
