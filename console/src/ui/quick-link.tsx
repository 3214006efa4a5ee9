import { type LinkProps, useRouter } from '@tanstack/react-router'
import { type AnchorHTMLAttributes, type MouseEvent, useMemo } from 'react'
import { afterPaint } from './after-paint.ts'

export type QuickTarget = Pick<LinkProps, 'to' | 'params' | 'search' | 'hash'>

export interface QuickLinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** What can be written as JSON: no functions. */
  link: QuickTarget
}

/**
 * For the many links of a list. The router's own link computes its address again whenever the address of the page changes,
 * which a hundred of them make felt.
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
    // It is seen which one was chosen, and then the next screen is drawn.
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
