import { type RefObject, useEffect, useRef, useState } from 'react'

const FIRST = 20
const STEP = 30
/** How near the end of what is drawn comes to the lower edge of the window before more is drawn. */
const AHEAD_PX = 300

export interface Gradually {
  /** How many rows are drawn. */
  count: number
  /** Belongs on an element behind the rows that is as high as those which are missing, so that the page can be scrolled to them. */
  rest: RefObject<HTMLDivElement | null>
  drawAll: () => void
}

/** Long lists are drawn as far as they are looked at: what is not there costs no time at every key and click. */
export function useGradually(total: number): Gradually {
  const [limit, setLimit] = useState(FIRST)
  const rest = useRef<HTMLDivElement>(null)
  const isWhole = limit >= total
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each step it is asked again whether that was enough
  useEffect(() => {
    if (isWhole || !rest.current) return
    const observer = new IntersectionObserver(
      entries => {
        if (entries.some(entry => entry.isIntersecting)) setLimit(drawn => drawn + STEP)
      },
      { rootMargin: `${AHEAD_PX}px` },
    )
    observer.observe(rest.current)
    return () => observer.disconnect()
  }, [isWhole, limit])
  return { count: Math.min(limit, total), rest, drawAll: () => setLimit(Number.POSITIVE_INFINITY) }
}
