import type { TrackingHost as Host } from '@overture/sdk'
import { useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Badge, type Tone } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { ConfirmDialog } from '@/ui/dialog.tsx'
import { Field, Form, Input } from '@/ui/field.tsx'
import { LeaveGuard } from '@/ui/leave-guard.tsx'
import { Loaded } from '@/ui/loaded.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useTrackingHost } from './data.ts'
import { DnsRecord } from './domain-health.tsx'

const WORDS: Record<Host['status'], readonly [words: string, tone: Tone] | null> = {
  none: null,
  pending: ['Not verified yet', 'warn'],
  verified: ['Verified', 'good'],
  failing: ['Not working', 'bad'],
}

/** The domain of the links in emails: your own, or that of the installation. */
export function TrackingHost() {
  const { may } = useWorkspace()
  const query = useTrackingHost()
  const mark = query.data && WORDS[query.data.status]
  return (
    <Card
      title="Tracking domain"
      description="Use your own domain for the links in your emails."
      actions={mark ? <Badge tone={mark[1]}>{mark[0]}</Badge> : null}
    >
      <Loaded query={query}>{host => <Settings key={host.host} host={host} isReadOnly={!may('workspaces:write')} />}</Loaded>
    </Card>
  )
}

function Settings({ host, isReadOnly }: { host: Host; isReadOnly: boolean }) {
  const { api } = useWorkspace()
  const [name, setName] = useState(host.host ?? '')
  const [isRemoving, setRemoving] = useState(false)
  const save = useOperation({
    send: (wanted: string, options) => api.trackingHost.set({ host: wanted }, options),
    repeats: true,
    touches: [['tracking-host']],
    done: ({ trackingHost }) =>
      trackingHost.status === 'verified' ? 'Tracking domain verified' : 'Tracking domain saved, not verified yet',
  })
  const isSame = name.trim() === (host.host ?? '')
  return (
    <div className="flex flex-col gap-4">
      <p className="text-soft">
        Links in new emails point to <span className="break-all font-mono text-ink">{host.linkOrigin}</span>.
        {host.checkedAt ? (
          <>
            {' '}
            Last checked <Time at={host.checkedAt} />.
          </>
        ) : null}
      </p>
      {host.reason ? (
        <div
          role="alert"
          className={`rounded-lg px-3 py-2 ${host.status === 'failing' ? 'bg-bad-wash text-bad' : 'bg-warn-wash text-warn'}`}
        >
          <p className="break-words">{host.reason}</p>
          {host.status === 'failing' ? <p>Emails with links wait until the domain works or you remove it.</p> : null}
        </div>
      ) : null}
      {isReadOnly ? null : (
        <Form className="flex flex-col gap-4" onSubmit={() => save.run(name.trim())}>
          <LeaveGuard loses={!isSame && !save.isBusy} />
          <ErrorNote error={issueFor(save.error, 'host') ? null : save.error} />
          <Field
            label="Domain"
            help="Used for links only. For your administrator: the proxy in front of Overture needs a TLS certificate for this domain and must forward the Host header."
            error={issueFor(save.error, 'host')}
            className="max-w-md"
          >
            <Input value={name} onValueChange={setName} placeholder="go.example.com" spellCheck={false} />
          </Field>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" phase={save.phase} disabled={name.trim() === '' || (isSame && host.status === 'verified')}>
              {isSame && host.host !== null ? 'Verify domain' : 'Save and verify'}
            </Button>
            {host.host === null ? null : (
              <Button variant="ghost" onClick={() => setRemoving(true)}>
                Remove domain
              </Button>
            )}
          </div>
        </Form>
      )}
      {host.record && host.host !== null && host.status !== 'verified' ? <DnsRecord record={host.record} /> : null}
      {isRemoving ? <Removal host={host.host!} onClose={() => setRemoving(false)} /> : null}
    </div>
  )
}

function Removal({ host, onClose }: { host: string; onClose: () => void }) {
  const { api } = useWorkspace()
  const remove = useOperation({
    send: (_: null, { idempotencyKey }) => api.trackingHost.delete({ idempotencyKey }),
    touches: [['tracking-host']],
    done: `${host} removed`,
    onDone: onClose,
  })
  return (
    <ConfirmDialog title={`Remove ${host}?`} verb="Remove domain" operation={remove} onClose={onClose}>
      <p>New emails use the address of this installation again. Links in sent emails work as long as the domain points here.</p>
    </ConfirmDialog>
  )
}
