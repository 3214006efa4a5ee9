import type { Campaign, Lead, Preview } from '@overture/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { sessionQuery, useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { nameOf } from '@/screens/leads/data.ts'
import { Badge } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { Combobox } from '@/ui/combobox.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { cx } from '@/ui/cx.ts'
import { FormDialog } from '@/ui/dialog.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { HtmlFrame } from '@/ui/html-frame.tsx'
import { CampaignIcon, CopyIcon } from '@/ui/icons.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { useDebounced } from '@/ui/timing.ts'
import { CopySequence } from './copy-sequence.tsx'
import { type PreviewAsked, usePreview } from './data.ts'

const TYPING_MS = 450

interface PreviewPaneProps {
  campaign: Campaign
  asked: PreviewAsked
  /** The id of the variant that is shown, if it has no unsaved changes. */
  savedVariantId: string | undefined
  isDirty: boolean
  leads: readonly Lead[]
  onLead: (leadId: string | undefined) => void
}

/** The current step as a lead would receive it. */
export function PreviewPane({ campaign, asked, savedVariantId, isDirty, leads, onLead }: PreviewPaneProps) {
  const { may } = useWorkspace()
  const [opens, setOpens] = useState<'test' | 'copy' | null>(null)
  const { leadId } = asked
  const settled = useDebounced(asked.steps, TYPING_MS)
  // Another step or lead is shown immediately. Only typing waits for a pause.
  const steps = settled[asked.step]?.variants[asked.variant] ? settled : asked.steps
  const { data, error, isFetching, canBeWritten } = usePreview(campaign.id, { ...asked, steps })
  // While the user types, a variable without a value is not an error yet.
  const unwritable = issueFor(error, 'leadId')?.replace(/^cannot be written to: /, '')
  const broken = issueFor(error, 'step')?.replace(/^cannot be written: /, '')
  const options = leads.map(lead => ({ value: lead.id, label: nameOf(lead) }))
  const canChange = may('campaigns:write') && (campaign.status === 'draft' || campaign.status === 'paused')
  return (
    <Card
      className="min-w-0 lg:sticky lg:top-4"
      title="Preview"
      actions={
        <>
          <CopyAs call={overture => overture.campaigns.preview(campaign.id, { step: asked.step, ...(leadId ? { leadId } : {}) })} />
          {canChange ? (
            <Button variant="ghost" icon={CopyIcon} label="Copy from another campaign" onClick={() => setOpens('copy')} />
          ) : null}
          {may('campaigns:write') ? (
            <Button
              icon={CampaignIcon}
              disabled={isDirty || !savedVariantId}
              title={isDirty ? 'Save first. Test emails use the saved version.' : undefined}
              onClick={() => setOpens('test')}
            >
              Send test
            </Button>
          ) : null}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {options.length > 0 ? (
          <div className="flex items-center gap-2">
            <span className="shrink-0 text-faint">Preview for</span>
            <Combobox
              label="Preview for lead"
              className="min-w-0 flex-1"
              options={options}
              value={leadId ?? null}
              onChange={chosen => onLead(chosen ?? undefined)}
              placeholder={data?.to ?? 'First lead'}
              empty="No match among the first 50 leads."
            />
          </div>
        ) : null}
        {canBeWritten && (unwritable ?? broken) ? (
          <p role="alert" className="rounded-lg bg-warn-wash px-3 py-2.5 text-warn">
            {unwritable ? `Cannot email this lead: ${unwritable}` : `Fix the template: ${broken}`}
          </p>
        ) : canBeWritten ? (
          <ErrorNote error={error} />
        ) : (
          <p className="text-faint">Write a subject and a message to see the preview.</p>
        )}
        {data && canBeWritten && !error ? <Shown preview={data} isBusy={isFetching} /> : isFetching ? <SkeletonLines count={6} /> : null}
      </div>
      {opens === 'test' ? (
        <SendTest campaign={campaign} step={asked.step} leadId={leadId} variantId={savedVariantId} onClose={() => setOpens(null)} />
      ) : null}
      {opens === 'copy' ? <CopySequence campaign={campaign} onClose={() => setOpens(null)} /> : null}
    </Card>
  )
}

function Shown({ preview, isBusy }: { preview: Preview; isBusy: boolean }) {
  const { from, to, subject, text, html } = preview
  return (
    <div aria-busy={isBusy} className={cx('flex flex-col gap-3 transition-opacity', isBusy && 'opacity-70')}>
      <div>
        <p className="break-words font-semibold text-base">{subject}</p>
        <p className="break-words text-faint text-xs">
          {from} to {to}
        </p>
      </div>
      <div className={cx('grid gap-3', html && 'xl:grid-cols-2')}>
        {html ? (
          <figure className="min-w-0">
            <figcaption className="mb-1 text-faint text-xs">HTML</figcaption>
            <HtmlFrame html={html} title="The message as HTML" className="h-96" />
          </figure>
        ) : null}
        <figure className="min-w-0">
          <figcaption className="mb-1 text-faint text-xs">{html ? 'Text' : 'Plain text'}</figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <pre tabIndex={0} className="max-h-96 overflow-auto whitespace-pre-wrap break-words rounded-lg bg-sunken p-3 font-sans text-sm">
            {text}
          </pre>
        </figure>
      </div>
      <SpamHints hints={preview.scoreHints} />
    </div>
  )
}

/** The service names fields of the API. Users know them as switches of the settings. */
const inOurWords = (message: string): string =>
  message
    .replace('Turn off trackOpens', 'Turn off “Track opens” in the settings')
    .replace('Turn off trackClicks', 'Turn off “Track clicks” in the settings')

const RISKS = [
  ['Low risk', 'good', 0.1],
  ['Low risk', 'neutral', 2],
  ['Some risk', 'warn', 4],
  ['High risk', 'bad', Number.POSITIVE_INFINITY],
] as const

function SpamHints({ hints }: { hints: Preview['scoreHints'] }) {
  const sum = hints.reduce((total, { points }) => total + points, 0)
  const [risk, tone] = RISKS.find(([, , below]) => sum < below) ?? RISKS.at(-1)!
  return (
    <section aria-label="Spam check" className="border-line border-t pt-3">
      <p className="flex items-center gap-2">
        <Badge tone={tone}>{risk}</Badge>
        <span className="text-soft">
          {hints.length === 0 ? 'Spam check: no problems found' : `Spam check: ${sum.toFixed(1)} points (4 or more is risky)`}
        </span>
      </p>
      {hints.length > 0 ? (
        <ul className="mt-2 flex flex-col gap-1">
          {hints.map(({ code, points, message }) => (
            <li key={code} className="flex gap-3 text-xs">
              <span className="w-8 shrink-0 text-right text-faint tabular">{points.toFixed(1)}</span>
              <span className="text-soft">{inOurWords(message)}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}

type SendTestProps = { campaign: Campaign; step: number; leadId: string | undefined; variantId: string | undefined; onClose: () => void }

function SendTest({ campaign, step, leadId, variantId, onClose }: SendTestProps) {
  const { api } = useWorkspace()
  const { data: identity } = useQuery(sessionQuery)
  const [to, setTo] = useState(identity?.user?.email ?? '')
  const send = useOperation({
    send: (address: string, options) => {
      const of = { ...(leadId ? { leadId } : {}), ...(variantId ? { variantId } : {}) }
      return api.sequences.sendTest(campaign.id, { to: address, step, ...of }, options)
    },
    once: `test ${campaign.id} ${step} ${leadId} ${variantId}`,
    done: () => `Test sent to ${to}`,
    onDone: onClose,
  })
  const issue = issueFor(send.error, 'to')
  return (
    <FormDialog
      size="sm"
      onClose={onClose}
      title={`Send step ${step + 1} to yourself`}
      description="Sent now from the mailbox of the campaign, with [Test] before the subject. Tests are not tracked or counted."
      verb="Send test"
      operation={send}
      isComplete={to.includes('@')}
      onSubmit={() => void send.run(to.trim())}
      issue={issue}
    >
      <Field label="To" error={issue}>
        <Input type="email" value={to} onChange={event => setTo(event.target.value)} />
      </Field>
    </FormDialog>
  )
}
