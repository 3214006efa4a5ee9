import type { Replay, WebhookEndpoint } from '@overture/sdk'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Field, Input } from '@/ui/field.tsx'
import { FormDialog } from '@/ui/form-dialog.tsx'
import { formatNoun } from '@/ui/format.ts'

const HOUR_MS = 3_600_000

/** What a field for local times takes. */
const asLocal = (at: Date): string => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

/** Sends the events of a time again; each has the id that it had before, so receivers can tell. */
export function ReplayDialog({ endpoint, onClose, onSent }: { endpoint: WebhookEndpoint; onClose: () => void; onSent: () => void }) {
  const { api } = useWorkspace()
  const [since, setSince] = useState(() => asLocal(new Date(Date.now() - HOUR_MS)))
  const [until, setUntil] = useState('')
  const replay = useOperation({
    send: (body: Replay, { idempotencyKey }) => api.webhooks.replay(endpoint.id, body, { idempotencyKey }),
    once: `replay ${endpoint.id}`,
    touches: [['webhooks']],
    done: ({ replayedCount }) =>
      replayedCount > 0
        ? `${formatNoun(replayedCount, 'event')} replayed`
        : 'There is no event of this time to replay. Tests are not replayed.',
    onDone: () => {
      onSent()
      onClose()
    },
  })
  const body: Replay | null = since
    ? { since: new Date(since).toISOString(), ...(until ? { until: new Date(until).toISOString() } : {}) }
    : null
  return (
    <FormDialog
      onClose={onClose}
      title="Replay events"
      description="All events of this time that the endpoint subscribes to are sent again. The ids stay the same."
      verb="Replay"
      operation={replay}
      isComplete={body !== null}
      onSubmit={() => body && void replay.run(body)}
      call={body && (overture => overture.webhooks.replay(endpoint.id, body))}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Since">
          <Input type="datetime-local" value={since} onChange={event => setSince(event.target.value)} required />
        </Field>
        <Field label="Until" optional help="Without it: until now.">
          <Input type="datetime-local" value={until} onChange={event => setUntil(event.target.value)} />
        </Field>
      </div>
    </FormDialog>
  )
}
