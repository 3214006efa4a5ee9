import { Link, type LinkProps, useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { type ApiCall, CopyAs } from './copy-as.tsx'
import { cx } from './cx.ts'
import { NoPermission } from './states.tsx'
import { useNarrow } from './use-width.ts'

interface PageHeaderProps {
  title: string
  /** Beside the title: a status. */
  mark?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  /** Above the title: the way back. */
  above?: ReactNode
}

/** The one heading of a screen. It names the tab of the browser, too. */
export function PageHeader({ title, mark, description, actions, above }: PageHeaderProps) {
  useDocumentTitle(title)
  return (
    <header className="mb-5">
      {above ? <div className="mb-1 text-faint text-xs">{above}</div> : null}
      {/* On a phone a long title leaves room for one small button; more of them stand below it. */}
      <div className="flex items-start justify-between gap-x-4 gap-y-2 max-sm:flex-wrap max-sm:items-center">
        {/* A status stands below the title there, with the buttons beside it. */}
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
          {mark}
        </div>
        {actions ? <div className="flex shrink-0 items-center gap-2">{actions}</div> : null}
      </div>
      {description ? <p className="mt-1 max-w-2xl text-pretty text-soft">{description}</p> : null}
    </header>
  )
}

export interface PageProps extends PageHeaderProps {
  /** What the page needs to be seen. */
  scope: string
  /** It shows what is the person's own, and not the workspace's. */
  isOwn?: boolean
  /** The request whose answer the page shows. */
  call: ApiCall
  children: ReactNode
}

interface SectionPageProps extends PageProps {
  section: { label: string; tabs: readonly TabLink[] }
}

/** A page of a section with tabs. It says which request it is made from. */
export function SectionPage({ section, scope, isOwn, call, actions, children, ...header }: SectionPageProps) {
  const { may, mayOwn } = useWorkspace()
  const tabs = <TabLinks {...section} />
  if (!(isOwn ? mayOwn : may)(scope)) {
    return (
      <>
        {tabs}
        <PageHeader title={header.title} />
        <NoPermission scope={scope} />
      </>
    )
  }
  return (
    <>
      {tabs}
      <PageHeader
        {...header}
        actions={
          <>
            <CopyAs call={call} />
            {actions}
          </>
        }
      />
      {children}
    </>
  )
}

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

export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Overture`
  }, [title])
}
