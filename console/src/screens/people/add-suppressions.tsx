import type { BulkSuppressionResult } from '@overture/sdk'
import { useDeferredValue, useMemo, useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button, buttonClass } from '@/ui/button.tsx'
import { cx } from '@/ui/cx.ts'
import { Dialog } from '@/ui/dialog.tsx'
import { Field, Input, Textarea } from '@/ui/field.tsx'
import { UploadIcon } from '@/ui/file-icons.ts'
import { FormDialog } from '@/ui/form-dialog.tsx'
import { formatNoun } from '@/ui/format.ts'
import { parseList } from './parse-list.ts'

const AT_ONCE = 5000

interface Added {
  createdCount: number
  existingCount: number
  invalid: { value: string; reason: string }[]
}

/** One or thousands: pasted, or from a file. Large lists go in parts, and what is done stays done. */
export function AddSuppressions({ onClose }: { onClose: () => void }) {
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
      for (let from = 0; from < all.length; from += AT_ONCE) {
        const part = all.slice(from, from + AT_ONCE)
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
      description="A domain stands for everybody there. It counts at once, also for messages that are being prepared."
      verb={values.length === 0 ? 'Suppress' : `Suppress ${formatNoun(values.length, 'entry', 'entries')}`}
      operation={add}
      isComplete={values.length > 0}
      onSubmit={() => void add.run({ all: values, why: reason.trim() })}
      call={overture => overture.suppressions.createMany(body)}
    >
      <Field label="Addresses and domains" help="One per line, or a whole table: addresses are found in it.">
        <Textarea
          rows={8}
          value={text}
          onChange={event => setText(event.target.value)}
          placeholder={'ann@example.com\nexample.org'}
          className="font-mono text-xs!"
          autoFocus
        />
      </Field>
      {/* The words that browsers have for it are in their own language and style, so the field itself is not shown. */}
      <label
        className={cx(
          buttonClass('secondary', 'sm'),
          'cursor-pointer self-start has-focus-visible:outline-2 has-focus-visible:outline-accent',
        )}
      >
        <UploadIcon />
        Take them from a file
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
      <Field label="Why" optional help="Shown in the list.">
        <Input value={reason} onChange={event => setReason(event.target.value)} maxLength={255} placeholder="Customer" />
      </Field>
      <p role="status" className="text-faint text-xs">
        {values.length === 0
          ? 'Nothing was found yet.'
          : `${formatNoun(values.length - domainCount, 'address', 'addresses')} and ${formatNoun(domainCount, 'domain')} found.`}
        {duplicateCount > 0 ? ` ${formatNoun(duplicateCount, 'repetition')} left out.` : ''}
        {skippedCount > 0 ? ` ${formatNoun(skippedCount, 'line')} without either left out.` : ''}
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
        added.existingCount > 0 ? `${formatNoun(added.existingCount, 'entry', 'entries')} had been suppressed before.` : undefined
      }
      actions={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {added.invalid.length > 0 ? (
        <>
          <p className="mb-2 font-medium">{formatNoun(added.invalid.length, 'entry', 'entries')} could not be taken:</p>
          <ul className="max-h-60 overflow-y-auto text-soft">
            {added.invalid.map(({ value, reason }) => (
              <li key={value}>
                <code className="font-mono text-xs">{value}</code> {reason}
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="text-soft">No campaign writes to them any more.</p>
      )}
    </Dialog>
  )
}
