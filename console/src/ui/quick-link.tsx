import { type LinkProps, useRouter } from '@tanstack/react-router'
import { type AnchorHTMLAttributes, type MouseEvent, type ReactNode, useMemo } from 'react'
import { cx } from './cx.ts'
import { afterPaint } from './timing.ts'

export type QuickTarget = Pick<LinkProps, 'to' | 'params' | 'search' | 'hash'>

interface QuickLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** It can be written as JSON: no functions. */
  link: QuickTarget
}

/**
 * For the many links of a list. The router's own link computes its address again whenever the address of the page changes, which is slow
 * for a hundred of them.
 */
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
    // The link looks pressed first, and then the next screen is drawn.
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

interface NumberLinkProps {
  link: QuickTarget
  title?: string
  className?: string | undefined
  children: ReactNode
}

/**
 * Every number opens what it counts: past actions open their events, present things open their list, a sum opens its parts on the same
 * screen, and the result of a write opens its operation. A forecast, a limit and a price are plain text. It lies above a row that is a link.
 */
export function NumberLink({ link, title, className, children }: NumberLinkProps) {
  return (
    <QuickLink link={link} {...(title ? { title } : {})} className={cx('number-link relative z-1', className)}>
      {children}
    </QuickLink>
  )
}

/** The events of one kind in a campaign. */
export const campaignEvents = (campaignId: string, type: string): QuickTarget => ({
  to: '/campaigns/$campaignId/activity',
  params: { campaignId },
  search: { type } as never,
})
