import type { DiscoveredSettings, NewProvider } from '@overture/sdk'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { Button, buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { Form } from '@/ui/form.tsx'
import { ownZone } from '@/ui/format.ts'
import { CheckIcon } from '@/ui/icons.tsx'
import { isSame } from '@/ui/is-same.ts'
import { LeaveGuard } from '@/ui/leave-guard.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { ConsentButton, issuerOf } from './consent-button.tsx'
import { FirstDo, Found } from './found.tsx'
import { type Limits, LimitsForm } from './limits-form.tsx'
import { NO_SERVERS, type Servers, ServersForm } from './servers-form.tsx'
import { Stages } from './stages.tsx'
import { useConnection } from './use-connection.ts'

/** What suits a mailbox of which nothing is known. */
const CAREFUL: Limits = { dailyCap: 40, minGapSeconds: 120, ramp: { startPerDay: 5, increasePerDay: 3 } }
const limitsOf = (found: DiscoveredSettings | undefined): Limits =>
  found ? { dailyCap: found.limits.dailyCap, minGapSeconds: found.limits.minGapSeconds, ramp: found.limits.ramp } : CAREFUL

type Account = Record<'fromName' | 'username' | 'password' | 'postalAddress', string>

export function ConnectForm({ email, candidates }: { email: string; candidates: readonly DiscoveredSettings[] }) {
  const [chosen, setChosen] = useState(0)
  const candidate = candidates[chosen]
  const [servers, setServers] = useState<Servers>(candidate?.settings ?? NO_SERVERS)
  const [isByHand, setByHand] = useState(candidates.length === 0)
  const [limits, setLimits] = useState<Limits>(limitsOf(candidate))
  const [account, setAccount] = useState<Account>({ fromName: '', username: email, password: '', postalAddress: '' })
  const connection = useConnection()
  const { verification, error } = connection
  const issuer = candidate ? issuerOf(candidate) : null
  const isComplete = servers.smtp.host !== '' && servers.imap?.host !== '' && account.password !== '' && account.username !== ''
  // What was sent is stored with the mailbox, also when it does not work yet.
  const [kept, setKept] = useState({ servers, limits, account })
  const choose = (at: number) => {
    const proposed = { servers: candidates[at]!.settings, limits: limitsOf(candidates[at]) }
    setChosen(at)
    setServers(proposed.servers)
    setLimits(proposed.limits)
    setKept({ ...kept, ...proposed })
  }
  const isTyped = !isSame({ servers, limits, account }, kept)
  const connect = () => {
    setKept({ servers, limits, account })
    const body: NewProvider = {
      ...{ kind: 'smtp', name: email, fromEmail: email, fromName: account.fromName || null, postalAddress: account.postalAddress || null },
      ...{ ...limits, timezone: ownZone() },
      settings: servers,
      credentials: { username: account.username, password: account.password },
    }
    void connection.run(body)
  }
  return (
    <Form className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-2" onSubmit={connect}>
      <LeaveGuard loses={isTyped || (error !== null && connection.providerId === null)} />
      <div className="flex flex-col gap-5">
        <Card
          title={candidates.length > 0 ? 'What was found' : 'Its servers'}
          actions={
            candidates.length > 0 && !isByHand ? (
              <Button size="sm" variant="ghost" onClick={() => setByHand(true)}>
                Change them
              </Button>
            ) : null
          }
        >
          <div className="flex flex-col gap-4">
            {candidates.length > 0 ? <Found candidates={candidates} chosen={chosen} onChoose={choose} /> : null}
            {candidate ? <FirstDo candidate={candidate} /> : null}
            {isByHand || verification?.ok === false ? <ServersForm servers={servers} onChange={setServers} /> : null}
          </div>
        </Card>
        {issuer ? (
          <Card
            title="By consent"
            description="The owner of the mailbox signs in there and allows the access. No password is stored; sender and limits can be set afterwards."
          >
            <ConsentButton consent={{ issuer, email }} />
          </Card>
        ) : null}
        <Card title={issuer ? 'Or by a password' : 'The account'}>
          <AccountFields account={account} onChange={setAccount} error={error} byAppPassword={candidate?.signIn[0] === 'app_password'} />
        </Card>
      </div>
      <div className="flex flex-col gap-5">
        <Card title="Limits" description={candidate?.hoster ? `Suggested for ${candidate.hoster}.` : 'Careful ones, for a start.'}>
          <LimitsForm limits={limits} onChange={setLimits} hosterPerDay={candidate?.limits.hosterPerDay ?? null} today={null} />
        </Card>
        <Card title="Connect" description="Signs in for real, sends one message to itself, and opens the inbox.">
          <ErrorNote error={error} className="mb-3" />
          {verification || connection.isBusy ? (
            <Stages
              stages={verification?.stages ?? []}
              progress={connection.underWay?.progress ?? null}
              isRunning={connection.isBusy}
              hasInbox={servers.imap !== null}
            />
          ) : null}
          <div className="mt-3 flex flex-wrap items-center gap-2">
            {verification?.ok && connection.providerId ? (
              <Works providerId={connection.providerId} />
            ) : (
              <Button type="submit" variant="primary" pending={connection.isBusy} disabled={!isComplete}>
                {connection.isBusy ? 'Trying…' : verification ? 'Try again' : 'Connect and verify'}
              </Button>
            )}
          </div>
        </Card>
      </div>
    </Form>
  )
}

interface AccountFieldsProps {
  account: Account
  onChange: (account: Account) => void
  error: Error | null
  byAppPassword: boolean
}

function AccountFields({ account, onChange, error, byAppPassword }: AccountFieldsProps) {
  const fieldOf = (name: keyof Account) => ({
    value: account[name],
    onChange: (event: { target: { value: string } }) => onChange({ ...account, [name]: event.target.value }),
  })
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="User name" error={issueFor(error, 'credentials')}>
        <Input {...fieldOf('username')} autoComplete="username" autoCapitalize="off" />
      </Field>
      <Field label={byAppPassword ? 'App password' : 'Password'} help="Kept encrypted, never shown again.">
        <Input {...fieldOf('password')} type="password" autoComplete="new-password" />
      </Field>
      <Field label="Sender name" help="What recipients see beside the address.">
        <Input {...fieldOf('fromName')} placeholder="Ada Lovelace" autoComplete="name" />
      </Field>
      <Field label="Postal address" help="The law wants it in the footer.">
        <Input {...fieldOf('postalAddress')} placeholder="1 Example Street, 10115 Berlin" />
      </Field>
    </div>
  )
}

/** Where to go from a mailbox that works: who came from a campaign goes back to it. */
function Works({ providerId }: { providerId: string }) {
  const { campaign: campaignId } = useSearch({ from: '/shell/mailboxes/new' })
  return (
    <>
      <span className="flex items-center gap-1.5 font-medium text-good">
        <CheckIcon /> It works.
      </span>
      <Link to="/mailboxes/$providerId" params={{ providerId }} className={buttonClass(campaignId ? 'secondary' : 'primary')}>
        Open the mailbox
      </Link>
      {campaignId ? (
        <Link to="/campaigns/$campaignId/settings" params={{ campaignId }} hash="mailboxes" className={buttonClass('primary')}>
          Back to the campaign
        </Link>
      ) : null}
    </>
  )
}
