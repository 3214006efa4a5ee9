import type { DiscoveredSettings, NewProvider, Provider, Verification } from '@overture/sdk'
import { Link, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Badge } from '@/ui/badge.tsx'
import { Button, buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { Field, Form, Input } from '@/ui/field.tsx'
import { ownZone } from '@/ui/format.ts'
import { CheckIcon, InfoIcon } from '@/ui/icons.tsx'
import { isSame } from '@/ui/json.ts'
import { LeaveGuard } from '@/ui/leave-guard.tsx'
import { RadioCard } from '@/ui/radio-card.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { ConsentButton, issuerOf } from './consent-button.tsx'
import { type Limits, LimitsForm } from './limits-form.tsx'
import { NO_SERVERS, type Servers, ServersForm, serverWords } from './servers-form.tsx'
import { Stages } from './stages.tsx'

/** Safe limits for an unknown mailbox. */
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
  const isStuck = verification?.ok === false && !connection.isBusy
  const issuer = candidate ? issuerOf(candidate) : null
  const isComplete = servers.smtp.host !== '' && servers.imap?.host !== '' && account.password !== '' && account.username !== ''
  // Sent input is saved with the mailbox, even if the mailbox does not work yet, so it cannot be lost.
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
          title={candidates.length > 0 ? 'Mail server' : 'Mail servers'}
          actions={
            candidates.length > 0 && !isByHand ? (
              <Button size="sm" variant="ghost" onClick={() => setByHand(true)}>
                Edit servers
              </Button>
            ) : null
          }
        >
          <div className="flex flex-col gap-4">
            {candidates.length > 0 ? <Candidates candidates={candidates} chosen={chosen} onChoose={choose} /> : null}
            {candidate ? <SignInHint candidate={candidate} /> : null}
            {isByHand || verification?.ok === false ? <ServersForm servers={servers} onChange={setServers} /> : null}
          </div>
        </Card>
        {issuer ? (
          <Card
            title="Sign in"
            description="The mailbox owner signs in and grants access. Overture stores no password. You can set the sender and the limits afterwards."
          >
            <ConsentButton consent={{ issuer, email }} />
          </Card>
        ) : null}
        <Card title={issuer ? 'Or use a password' : 'Account'}>
          <AccountFields account={account} onChange={setAccount} error={error} byAppPassword={candidate?.signIn[0] === 'app_password'} />
        </Card>
      </div>
      <div className="flex flex-col gap-5">
        <Card
          title="Limits"
          description={candidate?.hoster ? `Suggested for ${candidate.hoster}.` : 'Conservative limits for a new mailbox.'}
        >
          <LimitsForm limits={limits} onChange={setLimits} hosterPerDay={candidate?.limits.hosterPerDay ?? null} today={null} />
        </Card>
        <Card title="Connect" description="Saves the mailbox, signs in, sends a test email to the mailbox itself and opens its inbox.">
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
            {isStuck ? (
              <p className="w-full text-soft">
                The mailbox is saved, but not connected. Overture does not send from it. Fix the settings and try again, or remove it.
              </p>
            ) : null}
            {verification?.ok && connection.providerId ? (
              <ConnectedActions providerId={connection.providerId} />
            ) : (
              <Button type="submit" variant="primary" pending={connection.isBusy} disabled={!isComplete}>
                {connection.isBusy ? 'Connecting…' : verification ? 'Try again' : 'Connect and verify'}
              </Button>
            )}
            {isStuck ? (
              <Button variant="danger" phase={connection.remove.phase} onClick={() => void connection.remove.run(null)}>
                Remove mailbox
              </Button>
            ) : null}
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
    onValueChange: (typed: string) => onChange({ ...account, [name]: typed }),
  })
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Username" error={issueFor(error, 'credentials')}>
        <Input {...fieldOf('username')} autoComplete="username" autoCapitalize="off" />
      </Field>
      <Field label={byAppPassword ? 'App password' : 'Password'} help="Stored encrypted and never shown again.">
        <Input {...fieldOf('password')} type="password" autoComplete="new-password" />
      </Field>
      <Field label="Sender name" help="Recipients see this name next to the address.">
        <Input {...fieldOf('fromName')} placeholder="Ada Lovelace" autoComplete="name" />
      </Field>
      <Field label="Postal address" help="Many countries require a postal address in commercial email.">
        <Input {...fieldOf('postalAddress')} placeholder="1 Example Street, 10115 Berlin" />
      </Field>
    </div>
  )
}

/** The next screen after a mailbox is connected: the campaign it was connected for, if there is one. */
function ConnectedActions({ providerId }: { providerId: string }) {
  const { campaign: campaignId } = useSearch({ from: '/shell/mailboxes/new' })
  return (
    <>
      <span className="flex items-center gap-1.5 font-medium text-good">
        <CheckIcon /> Mailbox connected
      </span>
      <Link to="/mailboxes/$providerId" params={{ providerId }} className={buttonClass(campaignId ? 'secondary' : 'primary')}>
        Open mailbox
      </Link>
      {campaignId ? (
        <Link to="/campaigns/$campaignId/settings" params={{ campaignId }} hash="mailboxes" className={buttonClass('primary')}>
          Back to campaign
        </Link>
      ) : null}
    </>
  )
}

const SOURCES: Record<DiscoveredSettings['source'], string> = {
  preset: 'known provider',
  mx: 'found through the MX record',
  autoconfig: 'published by the domain',
  srv: 'found in DNS',
  guess: 'guessed from common names',
}

const SIGN_IN: Record<DiscoveredSettings['signIn'][number], string> = {
  password: 'the account password',
  app_password: 'an app password from its account settings',
  oauth: 'a sign-in by the owner',
}

interface CandidatesProps {
  candidates: readonly DiscoveredSettings[]
  chosen: number
  onChoose: (at: number) => void
}

/** The servers found for an address. */
function Candidates({ candidates, chosen, onChoose }: CandidatesProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">Mail servers found</legend>
      {candidates.map(({ hoster, settings: { smtp, imap }, works, source, problem }, at) => (
        <RadioCard key={`${serverWords(smtp)}${source}`} name="candidate" checked={at === chosen} onChange={() => onChoose(at)}>
          <span className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{hoster ?? smtp.host}</span>
            <Badge tone={works ? 'good' : 'warn'}>{works ? 'Works' : 'No response'}</Badge>
            <span className="text-faint text-xs">{SOURCES[source]}</span>
          </span>
          <span className="mt-0.5 block break-words text-faint text-xs">
            Sends through {serverWords(smtp)}
            {imap ? `, reads from ${serverWords(imap)}` : ', does not read replies'}
          </span>
          {problem ? <span className="mt-1 block break-words text-warn text-xs">{problem}</span> : null}
        </RadioCard>
      ))}
    </fieldset>
  )
}

/** The steps that the user has to take at the provider first. */
function SignInHint({ candidate }: { candidate: DiscoveredSettings }) {
  const [best] = candidate.signIn
  if (!candidate.note && (!best || best === 'password')) return null
  return (
    <div className="flex gap-2.5 rounded-lg bg-info-wash px-3 py-2.5 text-info">
      <InfoIcon className="mt-0.5 shrink-0" />
      <p className="min-w-0 break-words">{candidate.note ?? `This provider requires ${SIGN_IN[best!]}.`}</p>
    </div>
  )
}

const TOUCHED = [['providers'], ['clock']]

/**
 * Creates a mailbox and verifies it immediately. After a failure, the user can correct the input and retry. A retry changes the same
 * mailbox, so that no half-connected mailboxes are left.
 */
function useConnection() {
  const { api } = useWorkspace()
  const made = useRef<Provider | null>(null)
  const [verification, setVerification] = useState<Verification | null>(null)
  const connect = useOperation({
    send: async (body: NewProvider, { idempotencyKey }) => {
      const { kind, ...changeable } = body
      // If only the verification was cut off, the key of the creation is sent again. A change is another request, so it needs another key.
      made.current = made.current
        ? await api.providers.update(made.current.id, changeable, { idempotencyKey: `${idempotencyKey}-update` })
        : await api.providers.create({ kind, ...changeable }, { idempotencyKey })
      return api.providers.startVerification(made.current.id)
    },
    touches: TOUCHED,
    onDone: result => setVerification(result.verification),
    endsOnLeave: true,
  })
  const remove = useOperation({
    send: (_: null, { idempotencyKey }) => api.providers.delete(made.current!.id, { idempotencyKey }),
    touches: TOUCHED,
    toastsErrors: true,
    done: 'Mailbox removed',
    onDone: () => {
      made.current = null
      setVerification(null)
    },
  })
  return { ...connect, verification, remove, providerId: made.current?.id ?? null }
}
