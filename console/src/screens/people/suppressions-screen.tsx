import { type BulkSuppressionResult, OvertureError, type Suppression } from '@overture/sdk'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { usePages } from '@/data/use-answer.ts'
import { useOperation } from '@/data/use-operation.ts'
import { readableAddress } from '@/ui/address.ts'
import { Badge, statusWords } from '@/ui/badge.tsx'
import { Button, buttonClass, optionsOf } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { cx } from '@/ui/cx.ts'
import { ACTIONS, type Column, DataTable } from '@/ui/data-table.tsx'
import { ConfirmDialog, Dialog, FormDialog } from '@/ui/dialog.tsx'
import { Field, Input, Textarea } from '@/ui/field.tsx'
import { FilterBar } from '@/ui/filter-bar.tsx'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { CloseIcon, LockIcon, PlusIcon, SearchIcon, UploadIcon } from '@/ui/icons.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { Page } from './page.tsx'

const NONE: ReadonlySet<string> = new Set()
const KINDS = optionsOf({ email: 'Addresses', domain: 'Domains' })

const COLUMNS: Column<Suppression>[] = [
  {
    id: 'value',
    header: 'Suppressed',
    card: 'head',
    className: 'max-w-96',
    cell: ({ value }) =>
      value === null ? (
        <span className="text-faint">Deleted contact. Only a fingerprint is kept.</span>
      ) : (
        <span className="block truncate font-medium">{readableAddress(value)}</span>
      ),
  },
  { id: 'kind', header: 'Kind', card: 'mark', cell: ({ kind }) => <Badge>{kind === 'domain' ? 'Whole domain' : 'Address'}</Badge> },
  { id: 'reason', header: 'Reason', cell: ({ reason }) => statusWords(reason) },
  { id: 'when', header: 'Since', align: 'right', cell: ({ createdAt }) => <Time at={createdAt} className="text-faint" /> },
  { ...ACTIONS, cell: suppression => <Remove suppression={suppression} /> },
]

export function SuppressionsScreen() {
  const { q, kind, add: isAdding } = useSearch({ from: '/shell/people/suppressions' })
  const { may } = useWorkspace()
  const navigate = useNavigate()
  const pages = usePages(['suppressions', { q, kind }], (api, page, options) =>
    api.suppressions.list({ ...(q ? { q } : {}), ...(kind ? { kind: kind as Suppression['kind'] } : {}), ...page }, options),
  )
  const [ids, setIds] = useState<ReadonlySet<string>>(NONE)
  // Rows that are no longer shown are no longer selected.
  const chosen = pages.rows.filter(({ id }) => ids.has(id))
  const names = useMemo(() => new Map(pages.rows.map(row => [row.id, nameOf(row)])), [pages.rows])
  const setAdding = (isOpen: boolean) =>
    void navigate({ to: '/people/suppressions', search: { q, kind, ...(isOpen ? { add: '1' } : {}) }, replace: !isOpen })
  const add = may('suppressions:write') ? (
    <Button variant="primary" icon={PlusIcon} onClick={() => setAdding(true)}>
      Add suppressions
    </Button>
  ) : null
  return (
    <Page
      title="Suppressions"
      description="Campaigns never email these addresses and domains. A person who unsubscribes or bounces is added automatically."
      scope="suppressions:read"
      call={overture => overture.suppressions.list(q ? { q } : {})}
      actions={add}
    >
      <Card isFlush>
        <FilterBar search="Address or domain" filters={[{ key: 'kind', label: 'Kind', all: 'Addresses and domains', options: KINDS }]} />
        <DataTable
          label="Suppressions"
          columns={COLUMNS}
          pages={pages}
          {...(may('suppressions:write')
            ? { selection: { chosen: new Set(chosen.map(({ id }) => id)), onChange: setIds, labelOf: (id: string) => names.get(id) ?? id } }
            : {})}
          empty={
            q || kind ? (
              <EmptyState icon={SearchIcon} title="No matching suppressions">
                {q
                  ? `No entries match “${q}”. To find a deleted contact, search for the full address.`
                  : 'Clear the filters to see all suppressions.'}
              </EmptyState>
            ) : (
              <EmptyState icon={LockIcon} title="No suppressions yet" actions={add}>
                Add people you must not email, such as customers, competitors and people who opted out.
              </EmptyState>
            )
          }
        />
        {/* The bar stays when none of these is shown, because what it removes leaves the list meanwhile. */}
        {ids.size > 0 ? <SelectionBar chosen={chosen} onDone={() => setIds(NONE)} /> : null}
      </Card>
      {isAdding && may('suppressions:write') ? <AddSuppressions onClose={() => setAdding(false)} /> : null}
    </Page>
  )
}

function Remove({ suppression }: { suppression: Suppression }) {
  const { may } = useWorkspace()
  const [isAsking, setAsking] = useState(false)
  if (!may('suppressions:write')) return null
  return (
    <>
      <Button size="sm" variant="ghost" aria-label={`Remove suppression of ${nameOf(suppression)}`} onClick={() => setAsking(true)}>
        Remove
      </Button>
      {isAsking ? <RemoveDialog suppressions={[suppression]} onClose={() => setAsking(false)} /> : null}
    </>
  )
}

const ADDED_AT_ONCE = 5000

interface Added {
  createdCount: number
  existingCount: number
  invalid: { value: string; reason: string }[]
}

/** Takes one entry or thousands, pasted or from a file. Large lists are sent in parts, and finished parts stay. */
function AddSuppressions({ onClose }: { onClose: () => void }) {
  const { api } = useWorkspace()
  const [text, setText] = useState('')
  const [reason, setReason] = useState('')
  const [added, setAdded] = useState<Added | null>(null)
  const asked = useDeferredValue(text)
  const { values, skippedCount, duplicateCount } = useMemo(() => parseList(asked), [asked])
  const domainCount = values.filter(value => !value.includes('@')).length

  const add = useOperation({
    send: async ({ all, why }: { all: readonly string[]; why: string }, { idempotencyKey }): Promise<Added> => {
      const sum: Added = { createdCount: 0, existingCount: 0, invalid: [] }
      for (let from = 0; from < all.length; from += ADDED_AT_ONCE) {
        const part = all.slice(from, from + ADDED_AT_ONCE)
        const suppressions = part.map(value => ({ value, ...(why ? { reason: why } : {}) }))
        const done: BulkSuppressionResult = await api.suppressions.createMany(
          { suppressions },
          { idempotencyKey: `${idempotencyKey}-${from}` },
        )
        sum.createdCount += done.createdCount
        sum.existingCount += done.existingCount
        sum.invalid.push(...done.invalid.map(invalid => ({ value: part[invalid.index]!, reason: invalid.reason })))
      }
      return sum
    },
    touches: [['suppressions']],
    onDone: setAdded,
  })
  const body = { suppressions: values.slice(0, 3).map(value => ({ value })) }
  if (added) return <Done added={added} onClose={onClose} />
  return (
    <FormDialog
      onClose={onClose}
      title="Suppress addresses and domains"
      description="Suppressing a domain covers every address at it. Applies immediately."
      verb={values.length === 0 ? 'Suppress' : `Suppress ${formatNoun(values.length, 'entry', 'entries')}`}
      operation={add}
      isComplete={values.length > 0}
      onSubmit={() => void add.run({ all: values, why: reason.trim() })}
      call={overture => overture.suppressions.createMany(body)}
    >
      <Field label="Addresses and domains" help="Enter one per line, or paste a table. Overture finds the addresses.">
        <Textarea
          rows={8}
          value={text}
          onChange={event => setText(event.target.value)}
          placeholder={'ann@example.com\nexample.org'}
          className="font-mono text-xs!"
          autoFocus
        />
      </Field>
      {/* Browsers label a file field in their own language and style, so the field itself is hidden. */}
      <label
        className={cx(
          buttonClass('secondary', 'sm'),
          'cursor-pointer self-start has-focus-visible:outline-2 has-focus-visible:outline-accent',
        )}
      >
        <UploadIcon />
        Load from file
        <input
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/plain"
          className="sr-only"
          onChange={async event => {
            const file = event.target.files?.[0]
            if (file) setText(await file.text())
          }}
        />
      </label>
      <Field label="Reason" optional help="Shown in the list.">
        <Input value={reason} onValueChange={setReason} maxLength={255} placeholder="Customer" />
      </Field>
      <p role="status" className="text-faint text-xs">
        {values.length === 0
          ? 'No addresses or domains yet.'
          : `Found ${formatNoun(values.length - domainCount, 'address', 'addresses')} and ${formatNoun(domainCount, 'domain')}.`}
        {duplicateCount > 0 ? ` ${formatNoun(duplicateCount, 'duplicate')} skipped.` : ''}
        {skippedCount > 0 ? ` ${formatNoun(skippedCount, 'other line')} skipped.` : ''}
      </p>
    </FormDialog>
  )
}

function Done({ added, onClose }: { added: Added; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={`${formatNoun(added.createdCount, 'entry', 'entries')} suppressed`}
      description={
        added.existingCount > 0
          ? `${formatNoun(added.existingCount, 'entry', 'entries')} ${added.existingCount === 1 ? 'was' : 'were'} already suppressed.`
          : undefined
      }
      actions={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {added.invalid.length > 0 ? (
        <>
          <p className="mb-2 font-medium">{formatNoun(added.invalid.length, 'entry', 'entries')} could not be added:</p>
          <ul className="max-h-60 overflow-y-auto text-soft">
            {added.invalid.map(({ value, reason }) => (
              <li key={value}>
                <code className="font-mono text-xs">{value}</code> {reason}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="text-soft">No campaign emails them from now on.</p>
      )}
    </Dialog>
  )
}

interface Parsed {
  values: readonly string[]
  /** Lines without an address or a domain, such as headings. */
  skippedCount: number
  duplicateCount: number
}

/** No address is longer. */
const LONGEST = 254
const ADDRESS = /^[^\s@<>()"',;:]+@[^\s@<>()"',;:]+\.[^\s@<>()"',;:]+$/
const DOMAIN = /^@?(?:[a-z0-9](?:[a-z0-9-]{0,62})\.)+[a-z][a-z0-9-]{0,62}$/i

/**
 * Finds addresses and domains in any pasted text: a list, a column of a spreadsheet, or a CSV file with other columns. An address
 * takes precedence over a domain in the same line, because lists often contain the website of the company next to its people.
 */
function parseList(text: string): Parsed {
  const values = new Set<string>()
  let skippedCount = 0
  let duplicateCount = 0
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line.trim() === '') continue
    const cells = line
      .split(/[\s,;|]+/)
      .map(cell => cell.replace(/^[<("']+|[>)"'.]+$/g, '').replace(/^mailto:/i, ''))
      .filter(cell => cell !== '' && cell.length <= LONGEST)
    const addresses = cells.filter(cell => ADDRESS.test(cell))
    const found = addresses.length > 0 ? addresses : cells.filter(cell => DOMAIN.test(cell)).map(cell => cell.replace(/^@/, ''))
    if (found.length === 0) skippedCount++
    for (const value of found) {
      const folded = value.toLowerCase()
      if (values.has(folded)) duplicateCount++
      values.add(folded)
    }
  }
  return { values: [...values], skippedCount, duplicateCount }
}

function SelectionBar({ chosen, onDone }: { chosen: readonly Suppression[]; onDone: () => void }) {
  // The suppressions that were selected when the dialog opened: while they are removed, they leave the list and the selection.
  const [asked, setAsked] = useState<readonly Suppression[] | null>(null)
  if (chosen.length === 0 && !asked) return null
  return (
    <section
      aria-label="Selected suppressions"
      className="sticky bottom-3 z-10 m-3 flex flex-wrap items-center gap-1.5 rounded-xl bg-raised p-2 shadow-high"
    >
      <p className="flex-1 px-2 font-medium">{formatCount(chosen.length)} selected</p>
      <Button size="sm" variant="danger" onClick={() => setAsked(chosen)}>
        Remove
      </Button>
      <Button size="sm" variant="ghost" icon={CloseIcon} label="Clear selection" onClick={onDone} />
      {asked ? <RemoveDialog suppressions={asked} onDone={onDone} onClose={() => setAsked(null)} /> : null}
    </section>
  )
}

interface RemoveDialogProps {
  suppressions: readonly Suppression[]
  onDone?: () => void
  onClose: () => void
}

const REMOVED_AT_ONCE = 4

/** Removes each suppression with a request of its own: what was removed before one failed stays removed. */
function RemoveDialog({ suppressions, onDone, onClose }: RemoveDialogProps) {
  const { api } = useWorkspace()
  const [removedCount, setRemovedCount] = useState(0)
  const remove = useOperation({
    send: async (ids: string[], { idempotencyKey }) => {
      setRemovedCount(0)
      const waiting = [...ids]
      const work = async (): Promise<void> => {
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
          await api.suppressions.delete(id, { idempotencyKey: `${idempotencyKey}-${id}` }).catch(ignoreMissing)
          setRemovedCount(count => count + 1)
        }
      }
      // After a failure, no more requests are sent.
      const stop = (error: unknown) => {
        waiting.length = 0
        throw error
      }
      await Promise.all(Array.from({ length: REMOVED_AT_ONCE }, () => work().catch(stop)))
      return ids.length
    },
    touches: [['suppressions']],
    done: count => `${formatNoun(count, 'suppression')} removed`,
    onDone: () => {
      onClose()
      onDone?.()
    },
  })
  const count = suppressions.length
  const unsubscribedCount = suppressions.filter(({ reason }) => reason === 'unsubscribed').length
  return (
    <ConfirmDialog
      title={count === 1 ? `Remove suppression of ${nameOf(suppressions[0]!)}?` : `Remove ${formatNoun(count, 'suppression')}?`}
      verb={count === 1 ? 'Remove suppression' : 'Remove suppressions'}
      operation={remove}
      onConfirm={() => void remove.run(suppressions.map(({ id }) => id))}
      onClose={onClose}
    >
      <p>Campaigns can email them again. Leads skipped because of the suppression stay skipped until you retry them.</p>
      {unsubscribedCount > 0 ? (
        <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          {count === 1 ? 'They' : `${formatCount(unsubscribedCount)} of them`} unsubscribed. Remove the suppression only if they asked you
          to email them again.
        </p>
      ) : null}
      {count > 1 && (remove.isBusy || remove.error) ? (
        <p role="status" className="tabular">
          {formatCount(removedCount)} of {formatCount(count)} removed
        </p>
      ) : null}
    </ConfirmDialog>
  )
}

const nameOf = ({ value }: Pick<Suppression, 'value'>): string => value ?? 'a deleted contact'

/** Another person already removed it, so the goal is reached. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof OvertureError && error.status === 404)) throw error
}
