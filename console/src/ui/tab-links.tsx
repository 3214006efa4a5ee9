import { Link, type LinkProps, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useNarrow } from './use-width.ts'

export interface TabLink {
  to: LinkProps['to']
  label: string
  params?: Record<string, string>
  /** Stands behind the label, such as a number. */
  mark?: ReactNode
  /** The addresses below it are other tabs. */
  isExact?: boolean
}

/** Tabs that are links: each has its address, and the way back leads through them. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly TabLink[] }) {
  const bar = useRef<HTMLElement>(null)
  const isNarrow = useNarrow()
  // The tab is marked when its screen is there, which may be a while after its address is.
  const shown = useRouterState({ select: state => state.resolvedLocation?.pathname })
  // On a phone the tab that is looked at may be beyond the edge. To ask where it is before the frame would lay out the page twice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a campaign keeps its bar on the way from one tab to another
  useEffect(() => {
    if (!isNarrow) return
    const frame = requestAnimationFrame(() =>
      bar.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' }),
    )
    return () => cancelAnimationFrame(frame)
  }, [isNarrow, shown])
  return (
    // Where there are more than fit, they fade out at the edge instead of ending there.
    <nav
      ref={bar}
      aria-label={label}
      className="-mx-4 mb-6 overflow-x-auto border-line border-b px-4 max-sm:mask-r-from-90% sm:mx-0 sm:px-0"
    >
      <ul className="flex w-max gap-5 max-sm:pr-8">
        {tabs.map(({ to, params, label: words, mark, isExact }) => (
          <li key={to}>
            <Link
              {...({ to, params } as LinkProps)}
              activeOptions={{ exact: isExact ?? false, includeSearch: false }}
              className="relative flex h-9 items-center gap-1.5 whitespace-nowrap font-medium text-faint text-sm transition-colors hover:text-ink aria-[current=page]:text-ink after:absolute after:inset-x-0 after:-bottom-px after:h-0.5 after:rounded-full aria-[current=page]:after:bg-accent"
            >
              {words}
              {mark}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
