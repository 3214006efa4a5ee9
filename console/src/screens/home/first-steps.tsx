import type { Campaign, Overture, Provider } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTestClock } from '@/data/clock.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { createSandbox } from '@/screens/mailboxes/data.ts'
import { Button, buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { cx } from '@/ui/cx.ts'
import { formatNoun, isolate, ownZone } from '@/ui/format.ts'
import { CheckIcon, FlaskIcon, PlayIcon } from '@/ui/icons.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { Counted, type Play } from './test-clock.tsx'

type FirstStepsProps = { mailboxes: readonly Provider[]; campaigns: readonly Campaign[]; play: Play }

/** From the first mailbox to the first reply. Each step has a button that does it, and a link to do it by hand. */
export function FirstSteps({ mailboxes, campaigns, play }: FirstStepsProps) {
  const { api } = useWorkspace()
  const { data: clock } = useTestClock()
  const mailbox = mailboxes[0]
  const isReal = mailboxes.some(({ kind }) => kind !== 'sandbox')
  const full = campaigns.find(campaign => campaign.totalLeads > 0)
  const running = campaigns.find(campaign => campaign.status === 'active' || campaign.metrics.emailsSentCount > 0)
  const sandbox = useOperation({
    send: (_: null, options) => createSandbox(api, options),
    once: 'create sandbox',
    touches: [['providers'], ['clock']],
  })
  const example = useOperation({
    send: (providerId: string, options) => createExample(api, providerId, options),
    once: 'create example',
    touches: [['campaigns']],
  })
  const activate = useOperation({
    send: (campaignId: string, options) => api.campaigns.activate(campaignId, options),
    repeats: true,
    touches: [['campaigns']],
  })
  const done = [Boolean(mailbox), Boolean(full), Boolean(running), false]
  return (
    <Card
      title="First steps"
      description={
        isReal
          ? 'Your mailbox sends real email as soon as a campaign is active.'
          : 'With a sandbox, this takes about a minute. Its recipients are simulated, and no real email is sent.'
      }
      className="mb-5"
      isFlush
    >
      <ol>
        <Step
          number={1}
          done={done}
          title="Add a mailbox"
          error={sandbox.error}
          text={mailbox?.fromEmail ?? 'The sandbox behaves like a real mailbox: its simulated recipients open and reply.'}
        >
          <Button variant="primary" icon={FlaskIcon} phase={sandbox.phase} onClick={() => void sandbox.run(null)}>
            Use a sandbox
          </Button>
          <Link to="/mailboxes/new" className={buttonClass('ghost')}>
            Connect your mailbox
          </Link>
        </Step>
        <Step
          number={2}
          done={done}
          title="Create a campaign"
          error={example.error}
          text={
            full
              ? `${isolate(full.name)}, ${formatNoun(full.totalLeads, 'lead')}`
              : isReal
                ? 'A campaign combines your leads, a sequence of emails and a sending window.'
                : 'The example sends three emails, a few days apart, to 40 simulated recipients.'
          }
        >
          {isReal ? null : (
            <Button variant="primary" phase={example.phase} onClick={() => mailbox && void example.run(mailbox.id)}>
              Create an example
            </Button>
          )}
          <Link to="/campaigns" search={{ new: '1' }} className={buttonClass(isReal ? 'primary' : 'ghost')}>
            Create your own
          </Link>
        </Step>
        <Step
          number={3}
          done={done}
          title="Activate the campaign"
          error={activate.error}
          text={
            running
              ? 'The campaign sends within its window and stops for each person who replies.'
              : 'Overture then sends automatically within the sending window.'
          }
        >
          <Button variant="primary" phase={activate.phase} onClick={() => full && void activate.run(full.id)}>
            Activate campaign
          </Button>
          {full ? (
            <Link to="/campaigns/$campaignId" params={{ campaignId: full.id }} className={buttonClass('ghost')}>
              Review campaign
            </Link>
          ) : null}
        </Step>
        <Step
          number={4}
          done={done}
          title="Get the first reply"
          error={play.error}
          text={
            play.counts ? (
              <Counted counts={play.counts} />
            ) : clock?.canAdvance ? (
              'A reply usually takes days. Fast-forward the test clock to see one now.'
            ) : (
              'Replies appear here automatically. Until then, the campaign shows what it is waiting for.'
            )
          }
        >
          {clock?.canAdvance || play.isBusy ? (
            <Button variant="primary" icon={PlayIcon} phase={play.phase} onClick={() => void play.run(14)}>
              Fast-forward 14 days
            </Button>
          ) : null}
        </Step>
      </ol>
    </Card>
  )
}

interface StepProps {
  number: number
  title: string
  text: ReactNode
  /** Whether each step is done. The first one that is not done is the current one. */
  done: readonly boolean[]
  error: Error | null
  children: ReactNode
}

function Step({ number, title, text, done, error, children }: StepProps) {
  const isDone = done[number - 1]
  const isCurrent = done.indexOf(false) === number - 1
  return (
    <li
      className="flex flex-wrap items-center gap-x-4 gap-y-3 border-line border-b px-4 py-3.5 last:border-b-0"
      aria-current={isCurrent ? 'step' : undefined}
    >
      <span
        className={cx(
          'grid size-7 shrink-0 place-items-center rounded-full font-semibold text-xs',
          isDone ? 'bg-good-wash text-good' : isCurrent ? 'bg-accent text-on-accent' : 'bg-sunken text-faint',
        )}
      >
        {isDone ? <CheckIcon /> : number}
      </span>
      <div className="min-w-0 flex-1 basis-56">
        <p className={cx('font-medium', !isDone && !isCurrent && 'text-soft')}>
          {title}
          {isDone ? <span className="sr-only">: done</span> : null}
        </p>
        <p className="text-faint text-xs">{text}</p>
      </div>
      {isCurrent ? <div className="flex flex-wrap items-center gap-2">{children}</div> : null}
      {isCurrent ? <ErrorNote error={error} className="w-full" /> : null}
    </li>
  )
}

const FIRST = ['Mia', 'Noah', 'Lena', 'Omar', 'Ines', 'Jonas', 'Sofia', 'Elias']
const LAST = ['Berg', 'Costa', 'Dietrich', 'Eriksen', 'Fontaine']
const COMPANIES = ['Lumen Labs', 'Northwind Foods', 'Harbor Logistics', 'Quartz Analytics', 'Blue Fjord', 'Atlas Clinics', 'Verde Energy']

/** Made-up people at domains that are reserved for examples. The sandbox decides who opens, replies, is away or stays silent. */
const people = FIRST.flatMap((firstName, first) =>
  LAST.map((lastName, last) => {
    const company = COMPANIES[(first * LAST.length + last) % COMPANIES.length]!
    const email = `${firstName}.${lastName}@${company.replace(' ', '-')}.example`.toLowerCase()
    return { email, firstName, lastName, company, jobTitle: 'Head of Operations' }
  }),
)

const BODIES = [
  'Hi {{ firstName }},\n\nHow does {{ company }} find new customers today?\n\nI ask because https://product.example/tour might help.\n\nBest,\nAda',
  'Hi {{ firstName }},\n\nJust bringing this back to the top of your inbox.\n\nAda',
  'Hi {{ firstName }},\n\nI will not follow up again. If this becomes relevant, just reply to this email.\n\nAda',
] as const
const STEPS = [
  { delayDays: 0, variants: [{ subject: 'A question about {{ company }}', body: BODIES[0] }] },
  { delayDays: 3, variants: [{ body: BODIES[1] }] },
  { delayDays: 4, variants: [{ body: BODIES[2] }] },
]

/** A draft with everything that it needs to send. The user activates it. */
async function createExample(api: Overture, providerId: string, { idempotencyKey }: { idempotencyKey: string }): Promise<Campaign> {
  const campaign = await api.campaigns.create(
    {
      ...{ name: 'Example: founders', providerId, trackOpens: true, trackClicks: true },
      schedule: {
        daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
        timeWindow: { start: '09:00', end: '17:00' },
        timezone: ownZone(),
      },
    },
    { idempotencyKey },
  )
  await api.sequences
    .replace(campaign.id, { steps: STEPS }, { ifMatch: campaign.updatedAt, idempotencyKey: `${idempotencyKey}-sequence` })
    .wait()
  await api.leads
    .import(campaign.id, { leads: people, leadListName: 'Simulated recipients' }, { idempotencyKey: `${idempotencyKey}-leads` })
    .wait()
  return campaign
}
