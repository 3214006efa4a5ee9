import { cloneElement, type KeyboardEvent, lazy, Suspense, useEffect, useState } from 'react'
import type { MenuProps } from './menu-entries.ts'

const load = () => import('./menu-parts.tsx').then(module => ({ default: module.MenuParts }))
const Parts = lazy(load)

/**
 * A button that opens a list of things to do. Until it is first opened it is the button alone, because a table has one in each row;
 * what it opens with is loaded right behind the screen.
 */
export function Menu(props: MenuProps) {
  const [wasOpened, setOpened] = useState(false)
  useEffect(() => void load(), [])
  const open = () => setOpened(true)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown') return
    event.preventDefault()
    open()
  }
  const closed = cloneElement(props.trigger, { onClick: open, onKeyDown, 'aria-haspopup': 'menu', 'aria-expanded': false })
  if (!wasOpened) return closed
  return (
    <Suspense fallback={closed}>
      <Parts {...props} />
    </Suspense>
  )
}
