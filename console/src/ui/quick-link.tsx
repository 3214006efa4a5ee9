import { Link, type LinkProps, useRouter } from '@tanstack/react-router'
import { type ComponentProps, type MouseEvent, type ReactNode, useMemo } from 'react'
import { cx } from './cx.ts'
import { afterPaint } from './timing.ts'

export type QuickTarget = Pick<LinkProps, 'to' | 'params' | 'search' | 'hash'>

interface QuickLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** Must be valid JSON: no functions. */
  link: QuickTarget
}

/** For long lists of links. Whenever the URL of the page changes, the link of the router computes its own again, which is slow for a hundred. */
export function QuickLink({ link, children, ...rest }: QuickLinkProps) {
  const router = useRouter()
  const asText = JSON.stringify(link)
  const { target, href } = useMemo(() => {
    const parsed = JSON.parse(asText) as Parameters<typeof router.buildLocation>[0]
    return { target: parsed, href: router.buildLocation(parsed).href }
  }, [asText, router])
  const preload = () => void router.preloadRoute(target as never).catch(() => undefined)
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    // The link first looks pressed. Then the next screen is rendered.
    const chosen = event.currentTarget
    chosen.toggleAttribute('data-followed', true)
    afterPaint(() => void router.navigate(target as never).finally(() => chosen.removeAttribute('data-followed')))
  }
  return (
    <a {...rest} href={href} onClick={follow} onMouseEnter={preload} onFocus={preload} onTouchStart={preload}>
      {children}
    </a>
  )
}

/**
 * Every number links to what it counts: past actions to their events, objects to their list, a sum to its parts on the same screen, and the
 * result of a write to its operation. Forecasts, limits and prices are plain text. The link also works in a row that is a link itself.
 */
export const NumberLink = ({ className, ...rest }: QuickLinkProps) => (
  <QuickLink {...rest} className={cx('number-link relative z-1', className)} />
)

/** Without an id, it is a dash. */
export const OperationLink = ({ id, children }: { id: string | null | undefined; children: ReactNode }) =>
  id ? (
    <Link to="/developers/operations" search={{ id }} className="text-accent-ink hover:underline">
      {children}
    </Link>
  ) : (
    <span className="text-faint">–</span>
  )

export const campaignEvents = (campaignId: string, type: string): QuickTarget => ({
  to: '/campaigns/$campaignId/activity',
  params: { campaignId },
  search: { type } as never,
})
