import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** To what is known of one lead, and why it was or was not written to. */
export function LeadLink({ campaignId, leadId, children }: { campaignId: string; leadId: string; children: ReactNode }) {
  const link = { to: '/campaigns/$campaignId/leads/$leadId', params: { campaignId, leadId } } as unknown as LinkProps
  return (
    <Link {...link} className="font-medium text-ink underline decoration-line-strong underline-offset-2 hover:decoration-current">
      {children}
    </Link>
  )
}
