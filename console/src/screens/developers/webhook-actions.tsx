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

/** What can be done with an endpoint. `onSent` is called when something was sent, so that the screen looks for the answer. */
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
    done: 'A test event is on its way',
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
    done: 'The endpoint is deleted',
    onDone: () => void navigate({ to: '/developers/webhooks', ignoreBlocker: true }),
    touches: [['webhooks', 'list']],
  })
  if (!may('webhooks:write')) return null
  return (
    <div className="mb-5 flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Button phase={test.phase} onClick={() => void test.run(null)}>
          Send a test
        </Button>
        <Button icon={RefreshIcon} onClick={() => setOpen('replay')}>
          Replay…
        </Button>
        <Button icon={isActive ? PauseIcon : PlayIcon} phase={turn.phase} onClick={() => void turn.run(isActive ? 'paused' : 'active')}>
          {isActive ? 'Pause' : 'Activate'}
        </Button>
        <Menu
          trigger={<Button variant="ghost" icon={MoreIcon} label="More for this endpoint" />}
          entries={[
            { label: 'Change…', icon: EditIcon, onSelect: () => setOpen('edit') },
            { label: 'New secret…', icon: KeyIcon, onSelect: () => setOpen('rotate') },
            null,
            { label: 'Delete…', icon: TrashIcon, isDangerous: true, onSelect: () => setOpen('delete') },
          ]}
        />
      </div>
      {isActive ? null : (
        <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
          Nothing is sent to it. What happens meanwhile is not sent later by itself: activate it, then replay the time that it missed.
        </p>
      )}
      <ErrorNote error={test.error ?? turn.error} />
      {open === 'edit' ? <WebhookForm endpoint={endpoint} onClose={close} /> : null}
      {open === 'replay' ? <ReplayDialog endpoint={endpoint} onClose={close} onSent={onSent} /> : null}
      {open === 'rotate' ? (
        <ConfirmDialog
          title="Make a new secret?"
          verb="Make a new secret"
          operation={rotate}
          onConfirm={() => void rotate.run(null)}
          onClose={close}
        >
          For {OVERLAP_HOURS} hours every request is signed with both, so that you can change it without losing any.
        </ConfirmDialog>
      ) : null}
      {open === 'delete' ? (
        <ConfirmDialog
          title="Delete this endpoint?"
          verb="Delete"
          operation={remove}
          onConfirm={() => void remove.run(null)}
          onClose={close}
        >
          It receives no more events, and its deliveries are deleted. Events stay in the log.
        </ConfirmDialog>
      ) : null}
      {secret ? (
        <SecretDialog
          title="The new secret"
          secret={secret}
          about={`The old one still signs for ${OVERLAP_HOURS} hours.`}
          onClose={() => setSecret(null)}
        />
      ) : null}
    </div>
  )
}

const HOUR_MS = 3_600_000

/** What a field for local times takes. */
const asLocal = (at: Date): string => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

/** Sends the events of a time again; each has the id that it had before, so receivers can tell. */
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
