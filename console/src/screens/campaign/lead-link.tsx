import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from '@/ui/cx.ts'

interface LeadLinkProps {
  campaignId: string
  leadId: string
  className?: string
  children: ReactNode
}

export function LeadLink({ campaignId, leadId, className, children }: LeadLinkProps) {
  const link = { to: '/campaigns/$campaignId/leads/$leadId', params: { campaignId, leadId } } as unknown as LinkProps
  return (
    <Link
      {...link}
      className={cx('font-medium text-ink underline decoration-line-strong underline-offset-2 hover:decoration-current', className)}
    >
      {children}
    </Link>
  )
}
