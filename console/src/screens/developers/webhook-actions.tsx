import type { Replay, WebhookEndpoint } from '@overture/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { ConfirmDialog, FormDialog, SecretDialog } from '@/ui/dialog.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { formatNoun } from '@/ui/format.ts'
import { EditIcon, KeyIcon, MoreIcon, PauseIcon, PlayIcon, RefreshIcon, TrashIcon } from '@/ui/icons.tsx'
import { Menu } from '@/ui/menu.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { WebhookForm } from './webhook-form.tsx'

const OVERLAP_HOURS = 24

/** The actions of an endpoint. `onSent` is called after something was sent, so that the screen looks for the response. */
export function WebhookActions({ endpoint, onSent }: { endpoint: WebhookEndpoint; onSent: () => void }) {
  const { api, may } = useWorkspace()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'edit' | 'replay' | 'rotate' | 'delete' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const close = () => setOpen(null)
  const touches = [['webhooks']]
  const { id } = endpoint
  const isActive = endpoint.status === 'active'
  const test = useOperation({
    send: (_: null, { idempotencyKey }) => api.webhooks.test(id, { idempotencyKey }),
    touches,
    done: 'Test event sent',
    onDone: onSent,
  })
  const turn = useOperation({
    send: (status: 'active' | 'paused', { idempotencyKey }) => api.webhooks.update(id, { status }, { idempotencyKey }),
    touches,
  })
  const rotate = useOperation({
    send: (_: null, { idempotencyKey }) => api.webhooks.rotateSecret(id, { overlapSeconds: OVERLAP_HOURS * 3600 }, { idempotencyKey }),
    touches,
    onDone: answer => {
      close()
      setSecret(answer.secret)
    },
  })
  const remove = useOperation({
    send: (_: null, { idempotencyKey }) => api.webhooks.delete(id, { idempotencyKey }),
    done: 'Endpoint deleted',
    onDone: () => void navigate({ to: '/developers/webhooks', ignoreBlocker: true }),
    touches: [['webhooks', 'list']],
  })
  if (!may('webhooks:write')) return null
  return (
    <div className="mb-5 flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Button phase={test.phase} onClick={() => void test.run(null)}>
          Send test event
        </Button>
        <Button icon={RefreshIcon} onClick={() => setOpen('replay')}>
          Replay events…
        </Button>
        <Button icon={isActive ? PauseIcon : PlayIcon} phase={turn.phase} onClick={() => void turn.run(isActive ? 'paused' : 'active')}>
          {isActive ? 'Pause endpoint' : 'Activate endpoint'}
        </Button>
        <Menu
          trigger={<Button variant="ghost" icon={MoreIcon} label="More actions for this endpoint" />}
          entries={[
            { label: 'Edit endpoint…', icon: EditIcon, onSelect: () => setOpen('edit') },
            { label: 'Rotate secret…', icon: KeyIcon, onSelect: () => setOpen('rotate') },
            null,
            { label: 'Delete endpoint…', icon: TrashIcon, isDangerous: true, onSelect: () => setOpen('delete') },
          ]}
        />
      </div>
      {isActive ? null : (
        <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          Overture sends nothing to this endpoint and does not send missed events later. Activate it, then replay the missed period.
        </p>
      )}
      <ErrorNote error={test.error ?? turn.error} />
      {open === 'edit' ? <WebhookForm endpoint={endpoint} onClose={close} /> : null}
      {open === 'replay' ? <ReplayDialog endpoint={endpoint} onClose={close} onSent={onSent} /> : null}
      {open === 'rotate' ? (
        <ConfirmDialog title="Rotate secret?" verb="Rotate secret" operation={rotate} onClose={close}>
          For {OVERLAP_HOURS} hours, Overture signs every request with both secrets, so you lose no events while you switch.
        </ConfirmDialog>
      ) : null}
      {open === 'delete' ? (
        <ConfirmDialog title="Delete this endpoint?" verb="Delete endpoint" operation={remove} onClose={close}>
          The endpoint receives no more events and its delivery history is deleted. The event log stays.
        </ConfirmDialog>
      ) : null}
      {secret ? (
        <SecretDialog
          title="New secret"
          secret={secret}
          about={`The old secret works for ${OVERLAP_HOURS} more hours.`}
          onClose={() => setSecret(null)}
        />
      ) : null}
    </div>
  )
}

const HOUR_MS = 3_600_000

/** The value of a `datetime-local` field. */
const asLocal = (at: Date): string => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

/** Sends the events of a period again. Each keeps its id, so that receivers recognize it. */
function ReplayDialog({ endpoint, onClose, onSent }: { endpoint: WebhookEndpoint; onClose: () => void; onSent: () => void }) {
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
        : 'No events found in this period. Test events are not replayed.',
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
      description="Sends all subscribed events of this period again with the same IDs."
      verb="Replay events"
      operation={replay}
      isComplete={body !== null}
      onSubmit={() => body && void replay.run(body)}
      call={body && (overture => overture.webhooks.replay(endpoint.id, body))}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="From">
          <Input type="datetime-local" value={since} onChange={event => setSince(event.target.value)} required />
        </Field>
        <Field label="To" optional help="Leave empty to replay until now.">
          <Input type="datetime-local" value={until} onChange={event => setUntil(event.target.value)} />
        </Field>
      </div>
    </FormDialog>
  )
}
