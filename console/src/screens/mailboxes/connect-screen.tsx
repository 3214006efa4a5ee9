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
      <PageHeader title="Connect mailbox" above={<Link to="/mailboxes">Mailboxes</Link>} />
      {may('providers:write') ? (
        <div className="flex flex-col gap-5">
          <div className="grid grid-cols-[minmax(0,1fr)] items-stretch gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <Card title="Your mailbox" description="Overture finds and tests the mail servers. You review the settings before you connect.">
              <Form
                className="flex flex-col gap-3"
                onSubmit={() => {
                  if (isAddress) void discover.run(email)
                }}
              >
                <ErrorNote error={issueFor(discover.error, 'email') ? null : discover.error} />
                <Field label="Email address" error={issueFor(discover.error, 'email')}>
                  <Input
                    type="email"
                    value={email}
                    onValueChange={typed => {
                      setEmail(typed.trim())
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
                    {discover.isBusy ? 'Finding servers…' : 'Find servers'}
                  </Button>
                  <Button variant="ghost" disabled={!isAddress || discover.isBusy} onClick={byHand}>
                    Enter servers manually
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
    done: 'Sandbox connected',
    onDone: ({ id: providerId }) =>
      void navigate(
        campaignId
          ? { to: '/campaigns/$campaignId/settings', params: { campaignId }, hash: 'mailboxes' }
          : { to: '/mailboxes/$providerId', params: { providerId } },
      ),
  })
  return (
    <Card title="Sandbox" description="Try everything without sending real email.">
      <p className="mb-3 text-soft">
        The sandbox accepts email like a real mailbox but never delivers it. Its simulated recipients open, click, reply, bounce or stay
        silent.
      </p>
      <ErrorNote error={create.error} className="mb-3" />
      <Button icon={FlaskIcon} phase={create.phase} onClick={() => void create.run(null)}>
        Use a sandbox
      </Button>
    </Card>
  )
}
