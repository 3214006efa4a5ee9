import { Link, type LinkProps, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { type ApiCall, CopyAs } from './copy-as.tsx'
import { cx } from './cx.ts'
import { NoPermission } from './states.tsx'
import { useNarrow } from './use-width.ts'

interface PageHeaderProps {
  title: string
  /** A status next to the title. */
  mark?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** A link back, above the title. */
  above?: ReactNode
}

/** The heading of a screen, which is also the title of the browser tab. */
export function PageHeader({ title, mark, description, actions, above }: PageHeaderProps) {
  useDocumentTitle(title)
  return (
    <header className="mb-5">
      {above ? <div className="mb-1 text-faint text-xs">{above}</div> : null}
      {/* On a phone, a long title leaves room for one small button. More buttons go below it. */}
      <div className="flex items-start justify-between gap-x-4 gap-y-2 max-sm:flex-wrap max-sm:items-center">
        {/* On a phone, the status is below the title, next to the buttons. */}
        <div
          className={cx(
            'flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1',
            actions ? (mark ? 'max-sm:contents' : 'max-sm:max-w-[calc(100%-6rem)]') : null,
          )}
        >
          <h1
            title={title}
            className={cx(
              'line-clamp-3 min-w-0 break-words font-semibold text-xl leading-8 tracking-tight',
              mark && actions ? 'max-sm:basis-full' : null,
            )}
          >
            {title}
          </h1>
          {mark ? <span className="flex flex-wrap items-center gap-2">{mark}</span> : null}
        </div>
        {actions ? <div className="flex shrink-0 items-center gap-2">{actions}</div> : null}
      </div>
      {description ? <p className="mt-1 max-w-2xl text-pretty text-soft">{description}</p> : null}
    </header>
  )
}

export interface PageProps extends PageHeaderProps {
  /** Required to see the page. */
  scope: string
  /** The page shows data of the user, not of the workspace. */
  isOwn?: boolean
  /** The request whose response the page shows. */
  call: ApiCall
  children: ReactNode
}

export function SectionPage({ section, scope, isOwn, call, actions, children, ...header }: PageProps & { section: TabLinksProps }) {
  const { may, mayOwn } = useWorkspace()
  const isAllowed = (isOwn ? mayOwn : may)(scope)
  const allActions = (
    <>
      <CopyAs call={call} />
      {actions}
    </>
  )
  return (
    <>
      <TabLinks {...section} />
      {isAllowed ? <PageHeader {...header} actions={allActions} /> : <PageHeader title={header.title} />}
      {isAllowed ? children : <NoPermission scope={scope} />}
    </>
  )
}

export interface TabLink extends Pick<LinkProps, 'to'> {
  label: string
  params?: Record<string, string>
  /** Follows the label, such as a number. */
  mark?: ReactNode
  /** URLs below it belong to other tabs. */
  isExact?: boolean
}

interface TabLinksProps {
  label: string
  tabs: readonly TabLink[]
}

/** Tabs that are links: each has its own URL, and the back button leads through them. */
export function TabLinks({ label, tabs }: TabLinksProps) {
  const bar = useRef<HTMLElement>(null)
  const isNarrow = useNarrow()
  // A tab is marked when its screen is there, which may be later than its URL.
  const shown = useRouterState({ select: state => state.resolvedLocation?.pathname })
  // On a phone, the current tab may be beyond the edge. Without the frame, reading its position would lay out the page twice.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the bar of a campaign stays mounted when the tab changes
  useEffect(() => {
    if (!isNarrow) return
    const frame = requestAnimationFrame(() =>
      bar.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' }),
    )
    return () => cancelAnimationFrame(frame)
  }, [isNarrow, shown])
  return (
    // If there are more tabs than fit, they fade out at the edge.
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

export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Overture`
  }, [title])
}
