import type { Campaign, LeadBulk, LeadBulkResult } from '@overture/sdk'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { type RunningOperation, useOperation } from '@/data/use-operation.ts'
import { OtherCampaignDialog } from '@/screens/campaigns/other-campaign-dialog.tsx'
import { statusWords } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { ConfirmDialog, FormDialog } from '@/ui/dialog.tsx'
import { Field } from '@/ui/field.tsx'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { ArrowRightIcon, CheckIcon, CloseIcon, RefreshIcon, TrashIcon } from '@/ui/icons.tsx'
import { Select } from '@/ui/select.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { followsFrom, OUTCOME_OPTIONS, type Outcome } from './data.ts'

type BulkChange = Pick<LeadBulk, 'action' | 'status' | 'targetCampaignId'>

interface BulkBarProps {
  campaign: Campaign
  ids: ReadonlySet<string>
  /** The filter of the list, if the API can change leads by it. */
  filter: { status?: string | undefined } | null
  /** All shown leads are selected, and there are more than shown. */
  isAllShown: boolean
  onDone: () => void
}

const DONE: Record<LeadBulk['action'], string> = { delete: 'removed', requeue: 'retried', set_status: 'changed', move: 'moved' }
const UNCHANGED: Record<LeadBulk['action'], string> = {
  delete: 'already removed',
  requeue: 'only skipped leads can be retried',
  set_status: 'already in this status, or the status is not possible',
  move: 'replied, suppressed or already there',
}

/** Actions for the selected leads. Afterwards, a message tells how many were changed, and why others were not. */
export function BulkBar({ campaign, ids, filter, isAllShown, onDone }: BulkBarProps) {
  const { api, may } = useWorkspace()
  const [asks, setAsks] = useState<'delete' | 'move' | 'status' | null>(null)
  const [isWhole, setWhole] = useState(false)
  const whole = isWhole && isAllShown && filter !== null
  const change = useOperation({
    send: (wanted: BulkChange, options) => {
      const which = whole ? { filter: filter.status ? { status: filter.status as never } : {} } : { ids: [...ids] }
      return api.leads.changeMany(campaign.id, { ...wanted, ...which }, options)
    },
    once: `change leads ${campaign.id}`,
    touches: [['campaign', campaign.id], ['campaigns']],
    done: ({ changedCount, unchangedCount }, { action, status }) => {
      const summary = `${changedCount === 0 ? 'No leads' : formatNoun(changedCount, 'lead')} ${DONE[action]}${status ? ` to “${statusWords(status)}”` : ''}`
      return unchangedCount > 0 ? `${summary}. ${formatNoun(unchangedCount, 'lead')} unchanged: ${UNCHANGED[action]}.` : summary
    },
    onDone: () => {
      setAsks(null)
      onDone()
    },
  })
  const close = () => {
    setAsks(null)
    change.reset()
  }
  const all = `leads${filter?.status ? ` with the status “${statusWords(filter.status)}”` : ''}`
  const count = whole ? `all ${all}` : formatNoun(ids.size, 'lead')
  return (
    <section aria-label="Selected leads" className="sticky bottom-3 z-10 m-3 flex flex-col gap-2 rounded-xl bg-raised p-2 shadow-high">
      {asks === null ? <ErrorNote error={change.error} /> : null}
      <div className="flex flex-wrap items-center gap-1.5">
        <p className="px-2 font-medium">{whole ? `All ${all}` : `${formatCount(ids.size)} selected`}</p>
        {isAllShown && filter !== null ? (
          <Button size="sm" variant="ghost" onClick={() => setWhole(!whole)}>
            {whole ? 'Select shown only' : 'Select all matching'}
          </Button>
        ) : null}
        <div className="ml-auto flex flex-wrap items-center gap-1.5">
          <Button
            size="sm"
            icon={RefreshIcon}
            phase={asks === null ? change.phase : 'idle'}
            onClick={() => void change.run({ action: 'requeue' })}
          >
            Retry
          </Button>
          {may('people:write') ? (
            <Button size="sm" icon={CheckIcon} onClick={() => setAsks('status')}>
              Set status
            </Button>
          ) : null}
          <Button size="sm" icon={ArrowRightIcon} onClick={() => setAsks('move')}>
            Move
          </Button>
          <Button size="sm" variant="danger" icon={TrashIcon} onClick={() => setAsks('delete')}>
            Remove
          </Button>
          <Button size="sm" variant="ghost" icon={CloseIcon} label="Clear selection" onClick={onDone} />
        </div>
      </div>
      {asks === 'delete' ? (
        <ConfirmDialog
          title={`Remove ${count}?`}
          verb="Remove leads"
          operation={change}
          onConfirm={() => void change.run({ action: 'delete' })}
          onClose={close}
        >
          Overture sends them no more emails. Sent emails still count in the results.
        </ConfirmDialog>
      ) : null}
      {asks === 'move' ? (
        <OtherCampaignDialog
          campaign={campaign}
          title={`Move ${count}`}
          description="They start at the first step of the other campaign. Leads that replied, are suppressed or are already there stay here."
          label="Campaign"
          verb="Move leads"
          operation={change}
          onPick={targetCampaignId => void change.run({ action: 'move', targetCampaignId })}
          onClose={close}
        />
      ) : null}
      {asks === 'status' ? <SetStatus count={count} change={change} onClose={close} /> : null}
    </section>
  )
}

interface SetStatusProps {
  count: string
  change: RunningOperation<BulkChange, LeadBulkResult>
  onClose: () => void
}

function SetStatus({ count, change, onClose }: SetStatusProps) {
  const [status, setStatus] = useState<Outcome>('interested')
  return (
    <FormDialog
      size="sm"
      title={`Set the status of ${count}`}
      onClose={onClose}
      verb="Set status"
      operation={change}
      isComplete
      onSubmit={() => void change.run({ action: 'set_status', status })}
    >
      <Field label="Status" help={followsFrom(status)}>
        <Select options={OUTCOME_OPTIONS} value={status} onChange={setStatus} className="w-full" />
      </Field>
    </FormDialog>
  )
}
