import type { Campaign, Provider, UnreadMessage, Verification } from '@overture/sdk'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { campaignNow, useClockOffset } from '@/data/clock.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { asSentence } from '@/data/words.ts'
import { useTransition } from '@/screens/campaigns/data.ts'
import { readableAddress } from '@/ui/address.ts'
import { Badge, Status } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card, KeyValue } from '@/ui/card.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { ConfirmDialog } from '@/ui/dialog.tsx'
import { CheckIcon, PauseIcon, TrashIcon } from '@/ui/icons.tsx'
import { PageHeader } from '@/ui/page.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorNote, ErrorState } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { ConsentButton, consentWords } from './consent-button.tsx'
import { useCampaignsOf, useMailbox, useUnread } from './data.ts'
import { DomainHealth } from './domain-health.tsx'
import { MailboxLimits, MailboxSender, MailboxServers } from './mailbox-forms.tsx'
import { InboxState, Load } from './mailbox-state.tsx'
import { Stages } from './stages.tsx'

export function MailboxScreen() {
  const { providerId } = useParams({ from: '/shell/mailboxes/$providerId' })
  // Input and results belong to this mailbox, so the next one starts without them.
  return <OneMailbox key={providerId} providerId={providerId} />
}

function OneMailbox({ providerId }: { providerId: string }) {
  useClockOffset()
  const { api, may } = useWorkspace()
  const { data: mailbox, error, refetch } = useMailbox(providerId)
  const [isDeleting, setDeleting] = useState(false)
  const [verification, setVerification] = useState<Verification | null>(null)
  const verify = useOperation({
    send: (_: null, { idempotencyKey }) => api.providers.startVerification(providerId, { idempotencyKey }),
    repeats: true,
    touches: [['providers'], ['campaigns']],
    onDone: result => setVerification(result.verification),
    endsOnLeave: true,
  })
  if (error) return <ErrorState page="Mailbox" error={error} onRetry={() => void refetch()} />
  if (!mailbox) return <SkeletonLines count={6} />
  const mayWrite = may('providers:write')
  return (
    <>
      <PageHeader
        title={readableAddress(mailbox.fromEmail)}
        above={<Link to="/mailboxes">Mailboxes</Link>}
        mark={
          <>
            <Status status={mailbox.status} />
            {mailbox.kind === 'sandbox' ? <Badge tone="info">Sandbox</Badge> : null}
          </>
        }
        actions={
          <>
            <CopyAs call={overture => overture.providers.get(providerId)} />
            {mayWrite ? (
              <>
                <Button icon={TrashIcon} variant="ghost" label="Remove mailbox" onClick={() => setDeleting(true)} />
                <Button icon={CheckIcon} phase={verify.phase === 'done' ? 'idle' : verify.phase} onClick={() => void verify.run(null)}>
                  Verify mailbox
                </Button>
              </>
            ) : null}
          </>
        }
      />
      <MailboxProblem mailbox={mailbox} mayWrite={mayWrite} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-2">
        <div className="flex flex-col gap-5">
          <State mailbox={mailbox} />
          {verify.isBusy || verify.error || verification ? (
            <Card title="Verification">
              <ErrorNote error={verify.error} />
              {verify.error ? null : (
                <Stages
                  stages={verification?.stages ?? []}
                  progress={verify.underWay?.progress ?? null}
                  isRunning={verify.isBusy}
                  hasInbox={Boolean(mailbox.settings.imap)}
                />
              )}
            </Card>
          ) : null}
          {mailbox.kind === 'smtp' ? <DomainHealth providerId={providerId} isReadOnly={!mayWrite} /> : null}
          <MailboxLimits mailbox={mailbox} today={rampDay(mailbox)} isReadOnly={!mayWrite} />
        </div>
        <div className="flex flex-col gap-5">
          <MailboxSender mailbox={mailbox} isReadOnly={!mayWrite} />
          {mailbox.kind === 'smtp' ? <MailboxServers mailbox={mailbox} isReadOnly={!mayWrite} /> : null}
          <UnreadableMessages providerId={providerId} />
        </div>
      </div>
      {isDeleting ? <DeleteMailbox mailbox={mailbox} onClose={() => setDeleting(false)} /> : null}
    </>
  )
}

/** The day of the ramp-up in the time zone of the mailbox, from 0. */
function rampDay({ connectedAt, timezone }: Provider): number | null {
  if (!connectedAt) return null
  const dayOf = (at: Date): number => Date.parse(new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(at)) / 86_400_000
  return Math.max(0, Math.round(dayOf(campaignNow()) - dayOf(new Date(connectedAt))))
}

/** Why the mailbox does not work, and how to fix it. */
function MailboxProblem({ mailbox, mayWrite }: { mailbox: Provider; mayWrite: boolean }) {
  const words =
    mailbox.status === 'disconnected' || (mailbox.status === 'unverified' && mailbox.statusReason)
      ? [
          asSentence(`Not sending: ${mailbox.statusReason ?? 'the mail server refused the connection'}`),
          'Fix the problem, then verify the mailbox. Stopped campaigns resume.',
        ]
      : mailbox.status === 'unverified'
        ? ['Not verified yet. Not sending.', 'Verify the mailbox. Overture signs in and sends one test email to the mailbox itself.']
        : mailbox.inbox?.status === 'unreadable'
          ? [
              asSentence(`Inbox cannot be read: ${mailbox.inbox.reason ?? 'the server is not responding'}`),
              'Follow-ups wait until the inbox can be read again, because it may contain replies.',
            ]
          : mailbox.copiesFailing
            ? [
                asSentence(`Cannot save copies to the Sent folder: ${mailbox.copiesFailing.reason}`),
                'Overture still sends. If the mailbox is full, delete old mail, because a full mailbox also refuses replies.',
              ]
            : null
  if (!words) return null
  return (
    <div role="alert" className="mb-5 rounded-xl bg-bad-wash px-4 py-3 text-bad">
      <p className="break-words font-medium">{words[0]}</p>
      <p>{words[1]}</p>
      {mayWrite && mailbox.consent && mailbox.fix ? (
        <div className="mt-3">
          <ConsentButton consent={{ issuer: mailbox.consent.issuer, providerId: mailbox.id }} words="Sign in again" />
        </div>
      ) : null}
    </div>
  )
}

function State({ mailbox }: { mailbox: Provider }) {
  useClockOffset()
  const { data: campaigns } = useCampaignsOf(mailbox.id)
  return (
    <Card title="Status">
      <KeyValue
        items={[
          ['Sent today', <Load key="load" mailbox={mailbox} />],
          [
            'Next email',
            mailbox.status !== 'connected' ? (
              'Not sending'
            ) : mailbox.load.sentToday >= mailbox.load.limitToday ? (
              'Daily limit reached'
            ) : mailbox.load.nextSlotAt && new Date(mailbox.load.nextSlotAt) > campaignNow() ? (
              <Time key="next" at={mailbox.load.nextSlotAt} />
            ) : (
              'As soon as a lead is due'
            ),
          ],
          [
            'Paused after an error',
            mailbox.resting ? (
              <>
                Resumes <Time at={mailbox.resting.until} />
                {mailbox.resting.reason ? `: ${mailbox.resting.reason}` : ''}
              </>
            ) : null,
          ],
          ['Sign-in', mailbox.consent ? consentWords(mailbox.consent) : null],
          ['Inbox', <InboxState key="inbox" mailbox={mailbox} />],
          ['Connected', mailbox.connectedAt ? <Time key="connected" at={mailbox.connectedAt} /> : 'Not yet'],
          ['Campaigns', <CampaignLinks key="campaigns" campaigns={campaigns} />],
        ]}
      />
    </Card>
  )
}

function CampaignLinks({ campaigns }: { campaigns: readonly Campaign[] | undefined }) {
  if (!campaigns) return '…'
  if (campaigns.length === 0) return 'Not used by any campaign'
  return (
    <ul className="flex flex-col gap-1">
      {campaigns.slice(0, 8).map(campaign => (
        <li key={campaign.id} className="flex items-center gap-2">
          <Link
            to="/campaigns/$campaignId"
            params={{ campaignId: campaign.id }}
            className="min-w-0 truncate underline-offset-2 hover:underline"
          >
            <bdi>{campaign.name}</bdi>
          </Link>
          <Status status={campaign.status} />
        </li>
      ))}
      {campaigns.length > 8 ? <li className="text-faint text-xs">and {campaigns.length - 8} more</li> : null}
    </ul>
  )
}

const REASONS: Record<UnreadMessage['reason'], string> = {
  too_expensive: 'Too large',
  unreadable: 'Not a valid email',
  not_recorded: 'Could not be stored',
  unproven_bounce: 'Bounce without a matching email',
}

/** Messages that could not be read. They are still in the mailbox, in the folder that is shown. */
function UnreadableMessages({ providerId }: { providerId: string }) {
  const pages = useUnread(providerId)
  return (
    <Card title="Unreadable messages" description="Overture skipped these messages in the inbox.">
      <ErrorNote error={pages.error} />
      {pages.isLoading ? (
        <SkeletonLines count={2} />
      ) : pages.rows.length === 0 && !pages.error ? (
        <p className="text-faint">None. Overture read every message.</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {pages.rows.map(message => (
            <li key={message.id} className="flex flex-col gap-0.5 py-2.5 first:pt-0 last:pb-0">
              <p className="flex items-baseline justify-between gap-3">
                <span className="font-medium">{REASONS[message.reason]}</span>
                <Time at={message.receivedAt} className="text-faint text-xs" />
              </p>
              <p className="break-words text-soft">{message.detail}</p>
              <p className="break-all font-mono text-2xs text-faint">
                {message.folder} · {message.uid}
                {message.messageId ? ` · ${message.messageId}` : ''}
              </p>
            </li>
          ))}
        </ul>
      )}
      {pages.hasMore ? (
        <Button variant="ghost" size="sm" pending={pages.isLoadingMore} onClick={pages.loadMore}>
          Show more
        </Button>
      ) : null}
    </Card>
  )
}

/** Names the affected campaigns before the mailbox is removed. */
function DeleteMailbox({ mailbox, onClose }: { mailbox: Provider; onClose: () => void }) {
  const { api } = useWorkspace()
  const navigate = useNavigate()
  const { data: campaigns, error } = useCampaignsOf(mailbox.id)
  const running = campaigns?.filter(isRunning) ?? []
  const remove = useOperation({
    send: (_: null, { idempotencyKey }) => api.providers.delete(mailbox.id, { idempotencyKey }),
    // Only the lists are reloaded, because the mailbox no longer exists.
    touches: [['providers', 'list'], ['campaigns'], ['clock']],
    done: `${mailbox.fromEmail} removed`,
    onDone: () => void navigate({ to: '/mailboxes', ignoreBlocker: true }),
  })
  return (
    <ConfirmDialog
      title={`Remove ${mailbox.fromEmail}?`}
      verb="Remove mailbox"
      disabled={(!campaigns && !error) || running.length > 0}
      operation={{ ...remove, error: remove.error ?? error }}
      onClose={onClose}
    >
      <p>Overture deletes the password and stops sending from and reading this mailbox. Sent emails and replies stay.</p>
      {campaigns === undefined ? (
        error ? null : (
          <SkeletonLines count={2} />
        )
      ) : campaigns.length === 0 ? (
        <p>No campaign uses this mailbox.</p>
      ) : (
        <>
          <p>
            {running.length > 0
              ? 'Active campaigns send from this mailbox. Pause them first, or choose another mailbox for them.'
              : 'These campaigns use this mailbox. Their leads continue from another mailbox of the campaign, in a new thread.'}
          </p>
          <ul className="flex flex-col gap-1.5 text-ink">
            {campaigns.map(campaign => (
              <AffectedCampaign key={campaign.id} campaign={campaign} />
            ))}
          </ul>
        </>
      )}
    </ConfirmDialog>
  )
}

const isRunning = ({ status }: Campaign): boolean => status === 'active'

function AffectedCampaign({ campaign }: { campaign: Campaign }) {
  const { may } = useWorkspace()
  const pause = useTransition(campaign, 'pause')
  return (
    <li className="flex min-h-7 items-center gap-2">
      <span className="min-w-0 flex-1 truncate">
        <bdi>{campaign.name}</bdi>
      </span>
      <Status status={campaign.status} />
      {isRunning(campaign) && may('campaigns:write') ? (
        <Button size="sm" icon={PauseIcon} phase={pause.phase} onClick={() => void pause.run(null)}>
          Pause campaign
        </Button>
      ) : null}
    </li>
  )
}
