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

/** What an erasure has found, by kind: the result of `person.erase`. */
type Report = Record<string, unknown>

const NAMES: Record<string, [words: string, what: string]> = {
  leadCount: ['Leads', 'removed from their campaigns'],
  messageCount: ['Sent emails', 'content erased; the send record is kept'],
  replyCount: ['Replies', 'deleted with their attachments'],
  eventCount: ['Events', 'kept without personal data'],
  exportCount: ['Exports', 'the person is removed from the files'],
  operationCount: ['Operations', 'personal data removed'],
}

export function ErasureScreen() {
  const { api, may } = useWorkspace()
  const [email, setEmail] = useState('')
  const [isAsking, setAsking] = useState(false)
  const [report, setReport] = useState<{ counts: Report; at: Date; operationId: string } | null>(null)
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
      setReport({ counts: { ...result } as Report, at: new Date(), operationId: operationId.current })
      setAsking(false)
      setEmail('')
    },
  })
  const mayErase = may('people:write')
  return (
    <Page
      title="Erase a person"
      description="Use this for deletion requests. Overture erases the person's data in this workspace and never emails them again."
      scope="leads:read"
      call={overture => overture.erasures.create({ email: email || 'ann@example.com' }).wait()}
    >
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Card title="Person">
          <Form onSubmit={() => setAsking(true)} className="flex flex-col gap-4">
            <Field label="Email address" help="Upper and lower case and other spellings of the address are included.">
              <Input
                type="email"
                value={email}
                onChange={event => setEmail(event.target.value)}
                placeholder="ann@example.com"
                disabled={!mayErase}
                required
              />
            </Field>
            {mayErase ? (
              <Button type="submit" variant="danger" icon={TrashIcon} disabled={!email.includes('@')} className="self-start">
                Erase person…
              </Button>
            ) : (
              <p className="text-soft">
                Your role does not allow erasing people. It requires the scope <code className="font-mono">people:write</code>.
              </p>
            )}
          </Form>
        </Card>
        {report ? (
          <ReportCard
            report={report.counts}
            at={report.at}
            operation={{ to: '/developers/operations', search: { id: report.operationId } as never }}
          />
        ) : (
          <WhatGoes />
        )}
      </div>
      {isAsking ? (
        <ConfirmDialog
          title={`Erase ${email}?`}
          verb="Erase person"
          operation={erase}
          onConfirm={() => void erase.run({ email: email.trim() })}
          onClose={() => setAsking(false)}
        >
          You cannot undo this. Overture keeps a hash of the address, so it never emails the person even if you import them again.
        </ConfirmDialog>
      ) : null}
    </Page>
  )
}

function WhatGoes() {
  return (
    <Card title="What happens to the data">
      <dl className="flex flex-col gap-2">
        {Object.values(NAMES).map(([words, what]) => (
          <div key={words} className="flex gap-3">
            <dt className="w-32 shrink-0 text-faint">{words}</dt>
            <dd className="text-soft">{what}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-faint text-xs">Campaign results do not change. They contain no personal data.</p>
    </Card>
  )
}

function ReportCard({ report, at, operation }: { report: Report; at: Date; operation: QuickTarget }) {
  const order = Object.keys(NAMES)
  const counts = Object.entries(report)
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number')
    .sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
  const isNothing = counts.every(([, count]) => count === 0)
  return (
    <Card title="Report" description={formatExact(at)}>
      <p role="status" className="mb-4 flex items-center gap-2 rounded-lg bg-good-wash px-3 py-2 text-good">
        <CheckIcon className="shrink-0" />
        {isNothing ? 'No data found for this person. The address is suppressed anyway.' : 'Person erased and suppressed.'}
      </p>
      <dl className={isNothing ? 'hidden' : 'flex flex-col gap-2'}>
        {counts.map(([name, count]) => {
          const [words, what] = NAMES[name] ?? [name, '']
          return (
            <div key={name} className="flex gap-3">
              <dt className="w-32 shrink-0 text-faint">{words}</dt>
              <dd>
                <NumberLink link={operation} title="View operation" className="font-medium tabular">
                  {formatCount(count)}
                </NumberLink>{' '}
                <span className="text-faint">{what}</span>
              </dd>
            </div>
          )
        })}
      </dl>
      <p className="mt-4 text-faint text-xs">
        Overture keeps this report, without the address, in the{' '}
        <QuickLink link={operation} className="text-accent-ink underline">
          operation
        </QuickLink>
        .
      </p>
    </Card>
  )
}
