import type { Lead } from '@overture/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { ConfirmDialog } from '@/ui/dialog.tsx'
import { EditIcon, MoreIcon, RefreshIcon, TrashIcon } from '@/ui/icons.tsx'
import { Menu, type MenuEntry } from '@/ui/menu.tsx'
import { nameOf } from './data.ts'

/** The actions for one lead. `onGone` is called after it was removed. */
export function LeadMenu({ lead, onGone }: { lead: Lead; onGone?: () => void }) {
  const { api, may } = useWorkspace()
  const navigate = useNavigate()
  const [isRemoving, setRemoving] = useState(false)
  const { id, campaignId } = lead
  const touches = [['campaign', campaignId]]
  const requeue = useOperation({
    send: (_: null, { idempotencyKey }) => api.leads.requeue(campaignId, id, { idempotencyKey }),
    once: `requeue ${id}`,
    touches,
    toastsErrors: true,
    done: `${nameOf(lead)} is back in the queue`,
  })
  const remove = useOperation({
    send: (_: null, { idempotencyKey }) => api.leads.delete(campaignId, id, { idempotencyKey }),
    touches: onGone ? [] : touches,
    done: `${nameOf(lead)} removed`,
    onDone: () => {
      setRemoving(false)
      onGone?.()
    },
  })
  const entries: MenuEntry[] = []
  if (may('people:write'))
    entries.push({
      label: 'Edit lead…',
      icon: EditIcon,
      onSelect: () => void navigate({ to: '.', search: (before: object) => ({ ...before, edit: id }) as never }),
    })
  if (may('leads:write')) {
    entries.push({
      label: 'Retry',
      icon: RefreshIcon,
      onSelect: () => void requeue.run(null),
      pending: requeue.isBusy,
      disabled: lead.status !== 'skipped',
      ...(lead.status === 'skipped' ? {} : { hint: 'for skipped leads' }),
    })
    entries.push({ label: 'Remove lead…', icon: TrashIcon, isDangerous: true, onSelect: () => setRemoving(true) })
  }
  if (entries.length === 0) return null
  return (
    <div className="relative z-1 flex justify-end">
      <Menu
        trigger={<Button size="sm" variant="ghost" icon={MoreIcon} pending={requeue.isBusy} label={`More actions for ${nameOf(lead)}`} />}
        entries={entries}
      />
      {isRemoving ? (
        <ConfirmDialog title={`Remove ${nameOf(lead)}?`} verb="Remove lead" operation={remove} onClose={() => setRemoving(false)}>
          Overture sends this lead no more emails. Sent emails still count in the results.
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
