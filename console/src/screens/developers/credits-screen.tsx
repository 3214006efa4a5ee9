import type { LedgerEntry, NewCreditGrant } from '@overture/sdk'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useCredits } from '@/data/use-answer.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Badge, type Tone } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { cx } from '@/ui/cx.ts'
import { type Column, DataTable } from '@/ui/data-table.tsx'
import { FormDialog } from '@/ui/dialog.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { PlusIcon } from '@/ui/icons.tsx'
import { NumberLink, OperationLink } from '@/ui/quick-link.tsx'
import { Skeleton } from '@/ui/skeleton.tsx'
import { EmptyState, ErrorNote } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useLedger } from './data.ts'
import { Page } from './page.tsx'

const KINDS: Record<LedgerEntry['kind'], [words: string, tone: Tone, why: string]> = {
  grant: ['Added', 'good', 'Credits were added'],
  hold: ['Reserved', 'neutral', 'Reserved for an order in progress'],
  release: ['Returned', 'info', 'Reserved but not needed'],
  capture: ['Charged', 'neutral', 'New leads delivered'],
  refund: ['Refunded', 'good', 'Refund for an unreachable lead'],
}

const SUMS = { available: 'Available', held: 'Reserved for orders', balance: 'Balance' } as const

const COLUMNS: Column<LedgerEntry>[] = [
  {
    id: 'kind',
    header: 'Entry',
    card: 'head',
    cell: entry => {
      const [words, tone, why] = KINDS[entry.kind]
      return (
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge tone={tone}>{words}</Badge>
          <span className="text-faint text-xs">{entry.note ?? why}</span>
        </span>
      )
    },
  },
  {
    id: 'amount',
    header: 'Change',
    align: 'right',
    card: 'mark',
    cell: ({ amount, operationId }) => {
      const tone = cx('font-medium', amount > 0 ? 'text-good' : amount === 0 ? 'text-faint' : '')
      const words = `${amount > 0 ? '+' : amount < 0 ? '−' : ''}${formatCount(Math.abs(amount))}`
      return operationId ? (
        <NumberLink link={{ to: '/developers/operations', search: { id: operationId } as never }} className={tone} title="View operation">
          {words}
        </NumberLink>
      ) : (
        <span className={tone}>{words}</span>
      )
    },
  },
  {
    id: 'operation',
    header: 'Operation',
    cell: ({ operationId: id }) => (
      <OperationLink id={id}>
        <code className="font-mono text-xs">…{id?.slice(-8)}</code>
      </OperationLink>
    ),
  },
  { id: 'when', header: 'When', align: 'right', cell: entry => <Time at={entry.createdAt} className="text-faint" /> },
]

export function CreditsScreen() {
  const { may } = useWorkspace()
  const credits = useCredits()
  const pages = useLedger()
  const [isGranting, setGranting] = useState(false)
  return (
    <Page
      title="Credits"
      description="One credit buys one new lead. The history lists every change to your balance."
      scope="credits:read"
      call={overture => overture.credits.listLedger()}
      actions={
        may('credits:write') ? (
          <Button variant="primary" icon={PlusIcon} onClick={() => setGranting(true)}>
            Add credits
          </Button>
        ) : null
      }
    >
      <ErrorNote error={credits.error} className="mb-5" />
      <dl className="mb-5 grid grid-cols-3 gap-3">
        {(Object.keys(SUMS) as (keyof typeof SUMS)[]).map(name => (
          <div key={name} className="flex flex-col justify-between rounded-xl border border-line bg-panel px-4 py-3 shadow-low">
            <dt className="text-faint text-xs">{SUMS[name]}</dt>
            <dd className="font-semibold text-xl tabular">
              {credits.data ? (
                <NumberLink link={{ to: '/developers/credits', hash: 'ledger' }} title="View history">
                  {formatCount(credits.data[name])}
                </NumberLink>
              ) : (
                <Skeleton className="my-1 h-5! w-16" />
              )}
            </dd>
          </div>
        ))}
      </dl>
      <Card id="ledger" title="History" isFlush>
        <DataTable
          label="Entries"
          columns={COLUMNS}
          pages={pages}
          empty={<EmptyState title="No credit history yet">Added, reserved and charged credits appear here.</EmptyState>}
        />
      </Card>
      {isGranting ? <GrantDialog onClose={() => setGranting(false)} /> : null}
    </Page>
  )
}

function GrantDialog({ onClose }: { onClose: () => void }) {
  const { api } = useWorkspace()
  const [amount, setAmount] = useState('1000')
  const [note, setNote] = useState('')
  const grant = useOperation({
    send: (body: NewCreditGrant, { idempotencyKey }) => api.credits.grant(body, { idempotencyKey }),
    once: 'grant',
    touches: [['credits']],
    done: (_, { amount: granted }) => `${formatNoun(granted, 'credit')} added`,
    onDone: onClose,
  })
  const body: NewCreditGrant = { amount: Number(amount), ...(note.trim() ? { note: note.trim() } : {}) }
  return (
    <FormDialog
      onClose={onClose}
      title="Add credits"
      size="sm"
      verb="Add credits"
      operation={grant}
      isComplete={Number(amount) >= 1}
      onSubmit={() => void grant.run(body)}
      call={overture => overture.credits.grant(body)}
    >
      <Field label="Number of credits">
        <Input type="number" min={1} step={1} value={amount} onChange={event => setAmount(event.target.value)} autoFocus />
      </Field>
      <Field label="Reason" optional help="Shown in the history. Do not enter personal data.">
        <Input value={note} onChange={event => setNote(event.target.value)} placeholder="Invoice 7" />
      </Field>
    </FormDialog>
  )
}
