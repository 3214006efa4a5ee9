import { useRef, useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { ConfirmDialog } from '@/ui/dialog.tsx'
import { Field, Form, Input } from '@/ui/field.tsx'
import { formatCount, formatExact } from '@/ui/format.ts'
import { CheckIcon, TrashIcon } from '@/ui/icons.tsx'
import { NumberLink, QuickLink, type QuickTarget } from '@/ui/quick-link.tsx'
import { Page } from './page.tsx'

/** The counts in the result of an erasure: what is counted, and what happens to it. */
const NAMES: Record<string, [words: string, what: string]> = {
  leadCount: ['Leads', 'removed from their campaigns'],
  messageCount: ['Sent emails', 'content deleted; the send record is kept'],
  replyCount: ['Replies', 'deleted with their attachments'],
  eventCount: ['Events', 'kept without personal data'],
  exportCount: ['Exports', 'the person is removed from the files'],
  operationCount: ['Operations', 'personal data removed'],
}

export function ErasureScreen() {
  const { api, may } = useWorkspace()
  const [email, setEmail] = useState('')
  const [isAsking, setAsking] = useState(false)
  const [done, setDone] = useState<Done | null>(null)
  const operationId = useRef('')
  const erase = useOperation({
    send: async (body: { email: string }, options) => {
      const handle = await api.erasures.create(body, options)
      operationId.current = handle.id
      return handle
    },
    once: 'erase',
    touches: [['suppressions'], ['campaigns'], ['replies'], ['exports']],
    onDone: result => {
      const order = Object.keys(NAMES)
      const counts = Object.entries(result).filter((entry): entry is [string, number] => typeof entry[1] === 'number')
      setDone({
        counts: counts.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)),
        at: new Date(),
        operation: { to: '/developers/operations', search: { id: operationId.current } as never },
      })
      setAsking(false)
      setEmail('')
    },
  })
  const mayErase = may('people:write')
  return (
    <Page
      title="Delete a person's data"
      description="Use this for deletion requests. Overture deletes the person's data in this workspace and never emails them again."
      scope="leads:read"
      call={overture => overture.erasures.create({ email: email || 'ann@example.com' }).wait()}
    >
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Card title="Person">
          <Form onSubmit={() => setAsking(true)} className="flex flex-col gap-4">
            <Field label="Email address" help="Upper and lower case and other spellings of the address are included.">
              <Input type="email" value={email} onValueChange={setEmail} placeholder="ann@example.com" disabled={!mayErase} required />
            </Field>
            {mayErase ? (
              <Button type="submit" variant="danger" icon={TrashIcon} disabled={!email.includes('@')} className="self-start">
                Delete data…
              </Button>
            ) : (
              <p className="text-soft" title="Missing scope: people:write">
                Your role or token does not allow this. Ask an admin to change it.
              </p>
            )}
          </Form>
        </Card>
        <Report done={done} />
      </div>
      {isAsking ? (
        <ConfirmDialog
          title={`Delete the data of ${email}?`}
          verb="Delete data"
          operation={erase}
          onConfirm={() => void erase.run({ email: email.trim() })}
          onClose={() => setAsking(false)}
        >
          You cannot undo this. Overture keeps only an unreadable fingerprint of the address, so it never emails the person even if you
          import them again.
        </ConfirmDialog>
      ) : null}
    </Page>
  )
}

interface Done {
  counts: readonly [name: string, count: number][]
  at: Date
  /** The operation, which keeps the report. */
  operation: QuickTarget
}

/** The effect of an erasure on each kind of data: planned, and afterwards done. */
function Report({ done }: { done: Done | null }) {
  const isNothing = done?.counts.every(([, count]) => count === 0) ?? false
  const rows: readonly (readonly [string, number | null])[] = done?.counts ?? Object.keys(NAMES).map(name => [name, null] as const)
  return (
    <Card title={done ? 'Report' : 'What happens to the data'} description={done ? formatExact(done.at) : undefined}>
      {done ? (
        <p role="status" className="mb-4 flex items-center gap-2 rounded-lg bg-good-wash px-3 py-2 text-good">
          <CheckIcon className="shrink-0" />
          {isNothing ? 'No data found for this person. The address is suppressed anyway.' : 'Personal data deleted. Address suppressed.'}
        </p>
      ) : null}
      <dl className={isNothing ? 'hidden' : 'flex flex-col gap-2'}>
        {rows.map(([name, count]) => (
          <div key={name} className="flex gap-3">
            <dt className="w-32 shrink-0 text-faint">{NAMES[name]?.[0] ?? name}</dt>
            <dd className="text-soft">
              {done && count !== null ? (
                <NumberLink link={done.operation} title="View operation" className="font-medium text-ink tabular">
                  {formatCount(count)}
                </NumberLink>
              ) : null}{' '}
              {NAMES[name]?.[1]}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-faint text-xs">
        {done ? (
          <>
            Overture keeps this report, without the address, in the{' '}
            <QuickLink link={done.operation} className="text-accent-ink underline">
              operation
            </QuickLink>
            .
          </>
        ) : (
          'Campaign results do not change. They contain no personal data.'
        )}
      </p>
    </Card>
  )
}
