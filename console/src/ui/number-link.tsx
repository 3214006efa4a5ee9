import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { QuickLink, type QuickTarget } from './quick-link.tsx'

export interface NumberLinkProps {
  link: QuickTarget
  title?: string
  className?: string | undefined
  children: ReactNode
}

/**
 * The rule of numbers: each opens what it counts. What has happened opens its events; what there is opens its list, such as leads, replies
 * or the ledger; a sum opens its parts on the same screen; what a write has counted opens the operation. Only what counts nothing that could
 * be looked at is plain text: a forecast, a limit, a price. It stands above a row that is a link as a whole.
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
