import type {
  Campaign,
  ContactOverrides,
  Fix,
  IfLifted,
  LeadPatch,
  Overture,
  Provider,
  ProviderPatch,
  Schedule,
  ScheduleUpdate,
} from '@overture/sdk'
import { useState } from 'react'
import { fieldWords, sentence } from '@/data/field-words.ts'
import { useWorkspace } from '@/data/session.ts'
import { type SendOptions, useOperation } from '@/data/use-operation.ts'
import { asSentence } from '@/data/words.ts'
import { useLead } from '@/screens/leads/data.ts'
import { readableAddress } from '@/ui/address.ts'
import { Button } from '@/ui/button.tsx'
import { stringLiteral } from '@/ui/call-text.ts'
import { CodeBlock } from '@/ui/copy.tsx'
import { asCurl, CopyAs } from '@/ui/copy-as.tsx'
import { FormDialog } from '@/ui/dialog.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { formatCount, formatNoun, readable, zoneWords } from '@/ui/format.ts'
import { ArrowRightIcon } from '@/ui/icons.tsx'
import { useAllMailboxes, useSchedule } from '../data.ts'
import { formatDays, formatWindow } from '../schedule/schedule.ts'
import { RULES } from '../settings/contact-rules-form.tsx'

interface FixButtonProps {
  campaign: Campaign
  fix: Fix | null
  /** The expected result, from the service. */
  ifLifted?: IfLifted | null
}

/** A button for the request that solves a problem. A dialog explains the change first. */
export function FixButton({ campaign, fix, ifLifted = null }: FixButtonProps) {
  const { may } = useWorkspace()
  const { data: schedule } = useSchedule(campaign.id)
  const { data: mailboxes = [] } = useAllMailboxes()
  const [isOpen, setOpen] = useState(false)
  if (!fix) return null
  const planned = planFix(fix, { campaign, schedule, mailboxes })
  if (!planned) {
    const { method, path } = fix
    const body = JSON.stringify(fix.body)
    const curl = asCurl(location.origin + path, { method, headers: { 'content-type': 'application/json' }, body })
    return <CopyAs call={{ curl, sdk: `fetch('${path}', { method: '${method}', body: ${stringLiteral(body)} })` }} />
  }
  if (!may(planned.scope)) {
    return (
      <p className="text-faint text-xs" title={`Missing scope: ${planned.scope}`}>
        {planned.label}: your role or token does not allow this.
      </p>
    )
  }
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {planned.label}…
      </Button>
      {isOpen ? <FixDialog campaign={campaign} fix={fix} planned={planned} ifLifted={ifLifted} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** What happens when the problem is solved. */
export function IfLiftedNote({ ifLifted }: { ifLifted: IfLifted | null | undefined }) {
  if (!ifLifted) return null
  return (
    <p className="mt-2 flex items-start gap-2 rounded-lg bg-info-wash px-2.5 py-1.5 text-info text-xs">
      <ArrowRightIcon width={13} height={13} className="mt-0.5 shrink-0" />
      <span>{asSentence(ifLifted.text)}</span>
    </p>
  )
}

interface FixDialogProps {
  campaign: Campaign
  fix: Fix
  planned: PlannedFix
  ifLifted: IfLifted | null
  onClose: () => void
}

function FixDialog({ campaign, fix, planned, ifLifted, onClose }: FixDialogProps) {
  const { api } = useWorkspace()
  const { data: lead } = useLead(campaign.id, /\/leads\/([^/]+)$/.exec(fix.path)?.[1])
  const [values, setValues] = useState<Record<string, string>>({})
  const body = fillBlanks(fix.body, values)
  const isComplete = planned.blanks.every(name => values[name]?.trim())
  const perform = useOperation({
    send: (filled: Record<string, unknown>, options) => planned.send(api, filled, options) as Promise<unknown>,
    touches: [['campaigns'], ['campaign', campaign.id], ['providers'], ['readiness', campaign.id], ['simulation', campaign.id]],
    done: planned.done,
    onDone: onClose,
  })
  return (
    <FormDialog
      onClose={onClose}
      title={planned.label}
      description={lead ? `${readableAddress(lead.email)}. ${planned.words}` : planned.words}
      verb={planned.label}
      operation={perform}
      isComplete={isComplete}
      onSubmit={() => void perform.run(body)}
    >
      {planned.blanks.map((name, index) => (
        <Field key={name} label={name.startsWith('variables.') ? name.slice('variables.'.length) : sentence(fieldWords([name]))}>
          <Input
            value={values[name] ?? ''}
            onValueChange={typed => setValues(before => ({ ...before, [name]: typed }))}
            autoFocus={index === 0}
          />
        </Field>
      ))}
      {ifLifted ? <p className="rounded-lg bg-info-wash px-3 py-2 text-info">Expected result: {readable(ifLifted.text)}.</p> : null}
      <details>
        <summary className="cursor-pointer rounded text-soft text-sm">Show API request</summary>
        <CodeBlock
          className="mt-2"
          title={`${fix.method} ${fix.path}`}
          code={`${fix.method === 'PUT' ? `if-match: ${campaign.updatedAt}\n\n` : ''}${JSON.stringify(body, null, 2)}`}
        />
      </details>
    </FormDialog>
  )
}

interface FixContext {
  campaign: Campaign
  schedule: Schedule | undefined
  mailboxes: readonly Provider[]
}

interface PlannedFix {
  /** The label of the button. */
  label: string
  /** The change, in a sentence or two. */
  words: string
  /** The toast after the change. */
  done: string
  scope: string
  /** The values that the user has to enter, as paths into the body, such as `firstName` or `variables.city`. */
  blanks: string[]
  send: (api: Overture, body: Record<string, unknown>, options: SendOptions) => PromiseLike<unknown>
}

/**
 * Turns the request that solves a problem into a button: a call of the SDK, and its effect in words. Null for a request that this
 * console does not know, which can only be copied.
 */
function planFix(fix: Fix, context: FixContext): PlannedFix | null {
  const path = fix.path.replace(/^\/v1\/workspaces\/[^/]+/, '')
  const { campaign } = context
  const [, kind, id, ...rest] = path.split('/')
  const request = `${fix.method} ${rest[0] ?? ''}`
  if (request === 'PUT ' && kind === 'tracking-host') return planTrackingHost(String(fix.body.host))
  if (kind === 'providers' && id) return planMailbox(request, id, fix, context)
  if (kind !== 'campaigns' || id !== campaign.id) return null
  switch (request) {
    case 'PUT schedule':
      return planSchedule(fix.body as ScheduleUpdate, context)
    case 'PUT settings': {
      const wanted = (fix.body.contactRules ?? {}) as ContactOverrides
      const changed = RULES.filter(({ rule }) => rule in wanted && wanted[rule] !== campaign.contactRules[rule])
      return {
        label: 'Turn off rule',
        done: 'Contact rule turned off for this campaign',
        words: `Turns off this contact rule for this campaign: “${changed.map(({ label }) => label).join('”, “')}”. Other campaigns keep it.`,
        scope: 'campaigns:write',
        blanks: [],
        send: (api, body, options) => api.campaigns.updateSettings(id, body, { ...options, ifMatch: campaign.updatedAt }),
      }
    }
    case 'POST activate':
    case 'POST resume':
    case 'POST unarchive':
      return planTransition(rest[0] as 'activate' | 'resume' | 'unarchive', campaign)
    case 'PATCH leads':
      return rest[1] ? planLead(rest[1], fix, campaign) : null
    default:
      return null
  }
}

function planSchedule(body: ScheduleUpdate, { campaign, schedule }: FixContext): PlannedFix {
  const isWindow = body.timeWindow !== undefined
  const isStart = 'startDate' in body
  const words = isWindow
    ? `Sets the sending window to ${formatDays(body.daysOfWeek ?? [])}, ${formatWindow(body.timeWindow!)} (${zoneWords(body.timezone!)}).${
        schedule?.daysOfWeek ? ` The current window is ${formatDays(schedule.daysOfWeek)}, ${formatWindow(schedule.timeWindow)}.` : ''
      } The new window applies until you change it.`
    : isStart
      ? 'Removes the start date. Overture starts sending as soon as the sending window opens.'
      : 'Removes the end date. The campaign runs until all leads finish the sequence.'
  return {
    label: isWindow ? 'Send all day' : isStart ? 'Remove start date' : 'Remove end date',
    done: isWindow ? 'Sending window changed' : isStart ? 'Start date removed' : 'End date removed',
    words,
    scope: 'campaigns:write',
    blanks: [],
    send: (api, changed, options) => api.campaigns.updateSchedule(campaign.id, changed, { ...options, ifMatch: campaign.updatedAt }),
  }
}

function planTransition(transition: 'activate' | 'resume' | 'unarchive', { id }: Campaign): PlannedFix {
  const [label = '', words = '', done = ''] = {
    activate: ['Activate campaign', 'Starts sending, within the sending window and the limits of its mailboxes.', 'Campaign activated'],
    resume: ['Resume campaign', 'Continues where the campaign stopped. No lead gets an email twice.', 'Campaign resumed'],
    unarchive: ['Unarchive campaign', 'Restores the status from before the campaign was archived.', 'Campaign unarchived'],
  }[transition]
  return { label, words, done, scope: 'campaigns:write', blanks: [], send: (api, _, options) => api.campaigns[transition](id, options) }
}

function planMailbox(request: string, id: string, { body }: Fix, { mailboxes }: FixContext): PlannedFix | null {
  const name = mailboxes.find(mailbox => mailbox.id === id)?.name ?? 'This mailbox'
  const base = { scope: 'providers:write', blanks: [] }
  if (request === 'POST verify') {
    return {
      ...base,
      label: 'Verify mailbox',
      done: 'Mailbox verified',
      words: `Connects to the servers of ${name}, signs in and sends it a test email. If that works, stopped campaigns resume.`,
      send: async (api, _, { idempotencyKey }) => {
        const { ok, stages } = await api.providers.verify(id, { idempotencyKey })
        const failed = stages.find(stage => !stage.ok)
        if (!ok) throw new Error(`The mailbox is still not connected. ${failed?.detail ?? 'Open the mailbox to see the failed check.'}`)
      },
    }
  }
  if (request !== 'PATCH ') return null
  const isRamp = 'ramp' in body
  return {
    ...base,
    label: isRamp ? 'End ramp-up' : `Raise daily limit to ${formatCount(Number(body.dailyCap))}`,
    done: isRamp ? 'Ramp-up ended' : 'Daily limit raised',
    words: isRamp
      ? `Lets ${name} send up to its daily limit from today, across all its campaigns. Mail providers may distrust a new mailbox that suddenly sends a lot.`
      : `Lets ${name} send ${formatNoun(Number(body.dailyCap), 'email')} a day, across all its campaigns.`,
    send: (api, changed, { idempotencyKey }) => api.providers.update(id, changed as ProviderPatch, { idempotencyKey }),
  }
}

const planTrackingHost = (host: string): PlannedFix => ({
  label: 'Verify tracking domain',
  done: 'Tracking domain verified',
  words: `Checks whether ${host} points to Overture. If so, waiting emails are sent.`,
  scope: 'workspaces:write',
  blanks: [],
  send: async (api, _, { idempotencyKey }) => {
    const { trackingHost } = await api.trackingHost.set({ host }, { idempotencyKey }).wait()
    if (trackingHost.status !== 'verified') throw new Error(trackingHost.reason ?? 'The tracking domain is still not working.')
  },
})

const isBlank = (value: unknown): boolean => typeof value === 'string' && /^<.*>$/.test(value)

function planLead(leadId: string, { body }: Fix, campaign: Campaign): PlannedFix {
  const fields = Object.keys(body).filter(name => isBlank(body[name]))
  const variables = Object.entries((body.variables ?? {}) as Record<string, unknown>).filter(([, value]) => isBlank(value))
  const blanks = [...fields, ...variables.map(([name]) => `variables.${name}`)]
  return {
    label: 'Fill in missing values',
    done: 'Missing values saved',
    words: 'After you fill in the values, this lead goes back into the queue.',
    scope: 'people:write',
    blanks,
    send: (api, changed, { idempotencyKey }) => api.leads.update(campaign.id, leadId, changed as LeadPatch, { idempotencyKey }),
  }
}

/** The body with the entered values. */
function fillBlanks(body: Record<string, unknown>, values: Readonly<Record<string, string>>): Record<string, unknown> {
  const filled = structuredClone(body)
  for (const [path, value] of Object.entries(values)) {
    const [first, second] = path.split('.') as [string, string?]
    if (second === undefined) filled[first] = value
    else (filled[first] as Record<string, unknown>)[second] = value
  }
  return filled
}
