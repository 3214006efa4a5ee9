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
  messageCount: ['Messages sent', 'emptied: only that one was sent is left'],
  replyCount: ['Replies', 'removed with their attachments'],
  eventCount: ['Events', 'kept in the log, without the person'],
  exportCount: ['Exports', 'rewritten without the person'],
  operationCount: ['Operations', 'forgot what was asked and answered about the person'],
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
      description="For when somebody asks to be forgotten. Everything about them goes, everywhere in this workspace, and they are never written to again."
      scope="leads:read"
      call={overture => overture.erasures.create({ email: email || 'ann@example.com' }).wait()}
    >
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Card title="Who">
          <Form onSubmit={() => setAsking(true)} className="flex flex-col gap-4">
            <Field label="E-mail address" help="All spellings of it count as the same person.">
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
                Erase…
              </Button>
            ) : (
              <p className="text-soft">
                Your role may not erase people: that needs the scope <code className="font-mono">people:write</code>.
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
          verb="Erase for good"
          operation={erase}
          onConfirm={() => void erase.run({ email: email.trim() })}
          onClose={() => setAsking(false)}
        >
          Nobody can take this back. A hash of the address stays, so that the person is not written to when somebody imports them again.
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
      <p className="mt-4 text-faint text-xs">Numbers in results stay as they were: they tell nothing about anybody.</p>
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
        {isNothing ? 'There was nothing about this person. They are suppressed all the same.' : 'The person is erased and suppressed.'}
      </p>
      <dl className={isNothing ? 'hidden' : 'flex flex-col gap-2'}>
        {counts.map(([name, count]) => {
          const [words, what] = NAMES[name] ?? [name, '']
          return (
            <div key={name} className="flex gap-3">
              <dt className="w-32 shrink-0 text-faint">{words}</dt>
              <dd>
                <NumberLink link={operation} title="See the operation" className="font-medium tabular">
                  {formatCount(count)}
                </NumberLink>{' '}
                <span className="text-faint">{what}</span>
              </dd>
            </div>
          )
        })}
      </dl>
      <p className="mt-4 text-faint text-xs">
        The report is kept, without the address, with the{' '}
        <QuickLink link={operation} className="text-accent-ink underline">
          operation
        </QuickLink>
        .
      </p>
    </Card>
  )
}
