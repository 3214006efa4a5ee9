import type { ProviderDiscovery } from '@overture/sdk'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { Field, Form, Input } from '@/ui/field.tsx'
import { FlaskIcon, SearchIcon } from '@/ui/icons.tsx'
import { PageHeader } from '@/ui/page.tsx'
import { ErrorNote, NoPermission } from '@/ui/states.tsx'
import { ConnectForm } from './connect-form.tsx'
import { createSandbox } from './data.ts'

/** From an address to a mailbox that works, or to a sandbox in one step. */
export function ConnectScreen() {
  const { api, may } = useWorkspace()
  const [email, setEmail] = useState('')
  const [found, setFound] = useState<ProviderDiscovery | null>(null)
  const discover = useOperation({
    send: (address: string) => api.providers.discover({ email: address }),
    onDone: setFound,
  })
  const byHand = () => setFound({ email, candidates: [], links: { self: '' } })
  const isAddress = /^[^\s@]+@[^\s@]+$/.test(email)
  return (
    <>
      <PageHeader title="Connect a mailbox" above={<Link to="/mailboxes">Mailboxes</Link>} />
      {may('providers:write') ? (
        <div className="flex flex-col gap-5">
          <div className="grid grid-cols-[minmax(0,1fr)] items-stretch gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <Card title="Your own" description="Its servers are looked for, tried, and shown to you first. Nothing is stored yet.">
              <Form
                className="flex flex-col gap-3"
                onSubmit={() => {
                  if (isAddress) void discover.run(email)
                }}
              >
                <ErrorNote error={issueFor(discover.error, 'email') ? null : discover.error} />
                <Field label="Address" error={issueFor(discover.error, 'email')}>
                  <Input
                    type="email"
                    value={email}
                    onChange={event => {
                      setEmail(event.target.value.trim())
                      setFound(null)
                    }}
                    placeholder="you@company.com"
                    autoFocus
                    autoComplete="email"
                  />
                </Field>
                <div className="flex flex-wrap gap-2">
                  <Button
                    type="submit"
                    variant={found ? 'secondary' : 'primary'}
                    icon={SearchIcon}
                    pending={discover.isBusy}
                    disabled={!isAddress}
                  >
                    {discover.isBusy ? 'Looking and trying…' : 'Find its servers'}
                  </Button>
                  <Button variant="ghost" disabled={!isAddress || discover.isBusy} onClick={byHand}>
                    Enter them myself
                  </Button>
                </div>
              </Form>
            </Card>
            <SandboxCard />
          </div>
          {found ? <ConnectForm key={found.links.self || 'by-hand'} email={email} candidates={found.candidates} /> : null}
        </div>
      ) : (
        <Card isFlush>
          <NoPermission scope="providers:write" />
        </Card>
      )}
    </>
  )
}

function SandboxCard() {
  const { api } = useWorkspace()
  const navigate = useNavigate()
  const { campaign: campaignId } = useSearch({ from: '/shell/mailboxes/new' })
  const create = useOperation({
    send: (_: null, options) => createSandbox(api, options),
    once: 'create sandbox',
    touches: [['providers'], ['clock']],
    done: 'The sandbox is connected',
    onDone: ({ id: providerId }) =>
      void navigate(
        campaignId
          ? { to: '/campaigns/$campaignId/settings', params: { campaignId }, hash: 'mailboxes' }
          : { to: '/mailboxes/$providerId', params: { providerId } },
      ),
  })
  return (
    <Card title="A sandbox" description="To try everything without writing to anybody.">
      <p className="mb-3 text-soft">
        It takes mail like a real one and keeps it. Its recipients are made up: they open, click, answer, are away, bounce or stay silent,
        and each campaign plays the same every time.
      </p>
      <ErrorNote error={create.error} className="mb-3" />
      <Button icon={FlaskIcon} phase={create.phase} onClick={() => void create.run(null)}>
        Use a sandbox
      </Button>
    </Card>
  )
}
