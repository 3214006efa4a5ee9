import type { Campaign, Fix, IfLifted } from '@overture/sdk'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { Button } from '@/ui/button.tsx'
import { stringLiteral } from '@/ui/call-text.ts'
import { asCurl, CopyAs } from '@/ui/copy-as.tsx'
import { lazyPart } from '@/ui/lazy-part.ts'
import { useMailboxes, useSchedule } from '../data.ts'
import { planFix } from './plan-fix.ts'

const FixDialog = lazyPart(() => import('./fix-dialog.tsx').then(module => module.FixDialog))

export interface FixButtonProps {
  campaign: Campaign
  fix: Fix | null
  /** What the service expects to change. */
  ifLifted?: IfLifted | null
}

/** The request that solves a problem, as a button. It says what it will do and asks before it does it. */
export function FixButton({ campaign, fix, ifLifted = null }: FixButtonProps) {
  const { may } = useWorkspace()
  const { data: schedule } = useSchedule(campaign.id)
  const { data: mailboxes = [] } = useMailboxes()
  const [isOpen, setOpen] = useState(false)
  if (!fix) return null
  const planned = planFix(fix, { campaign, schedule, mailboxes })
  if (!planned) {
    const { method, path } = fix
    const body = JSON.stringify(fix.body)
    const curl = asCurl(location.origin + path, { method, headers: { 'content-type': 'application/json' }, body })
    return <CopyAs call={{ curl, sdk: `fetch('${path}', { method: '${method}', body: ${stringLiteral(body)} })` }} />
  }
  if (!may(planned.scope)) {
    return (
      <p className="text-faint text-xs">
        {planned.label}: needs the scope <code className="font-mono">{planned.scope}</code>
      </p>
    )
  }
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {planned.label}…
      </Button>
      {isOpen ? <FixDialog campaign={campaign} fix={fix} planned={planned} ifLifted={ifLifted} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
