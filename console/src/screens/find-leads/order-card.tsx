import type { LeadSearchAttachment, LeadSearchDelivery, LeadSearchDeliveryOperation } from '@overture/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useCredits, useFirstCampaigns } from '@/data/use-answer.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button, buttonClass } from '@/ui/button.tsx'
import { Card, KeyValue } from '@/ui/card.tsx'
import { Progress } from '@/ui/chart.tsx'
import { Combobox } from '@/ui/combobox.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { CampaignIcon, CheckIcon, DownloadIcon } from '@/ui/icons.tsx'
import { NumberLink } from '@/ui/quick-link.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import type { Audience } from './data.ts'
import type { Filters } from './filter-document.ts'

interface Order {
  filters: Filters
  leadCount: number
}

const FIRST_COUNT = 100
const MOST = 50_000

/** The price of an order before it is charged, and the buttons to export the leads or add them to a campaign. */
export function OrderCard({ filters, audience }: { filters: Filters; audience: Audience | undefined }) {
  const { api, may } = useWorkspace()
  const { data: credits } = useCredits()
  const { data: campaigns = [] } = useFirstCampaigns()
  const [typed, setTyped] = useState<string | null>(null)
  const [campaignId, setCampaignId] = useState<string | null>(null)
  const [delivered, setDelivered] = useState<LeadSearchDelivery | null>(null)
  const [attached, setAttached] = useState<LeadSearchAttachment | null>(null)
  const touches = [['exports'], ['credits'], ['campaigns']]
  const buy = useOperation({
    send: (order: Order, options) => api.leadSearches.export(order, options),
    once: 'export',
    touches,
    onDone: setDelivered,
  })
  const attach = useOperation({
    send: ({ campaignId: into, ...order }: Order & { campaignId: string }, options) => api.leadSearches.attach(into, order, options),
    once: 'attach',
    touches,
    onDone: setAttached,
  })

  // The list of exports shows the order as soon as it is accepted.
  const queries = useQueryClient()
  useEffect(() => {
    if (buy.phase === 'queued' || buy.phase === 'running') void queries.invalidateQueries({ queryKey: ['exports'] })
  }, [buy.phase, queries])

  const deliverable = audience?.deliverableCount ?? 0
  // Higher than `deliverable` if the workspace has imported people whose addresses are not verified.
  const attachable = audience?.attachableCount ?? 0
  const wanted = typed === null ? FIRST_COUNT : Number(typed)
  const count = Math.min(wanted, attachable)
  const cost = Math.min(count, deliverable)
  const problem = orderProblem(filters, audience, count)
  const isShort = !problem && credits !== undefined && count > credits.available
  const isBusy = buy.isBusy || attach.isBusy
  if (!may('leads:export')) {
    return (
      <Card title="Buy leads">
        <p className="text-soft" title="Missing scope: leads:export">
          Your role or token does not allow buying leads. Ask an admin to change it.
        </p>
      </Card>
    )
  }
  return (
    <Card title="Buy leads" actions={<CopyAs call={overture => overture.leadSearches.export({ filters, leadCount: count }).wait()} />}>
      <div className="flex flex-col gap-4">
        <Field
          label="Number of leads"
          error={typed === null ? null : problem}
          help={
            problem ??
            (typed !== null && wanted > attachable
              ? `Only ${formatCount(attachable)} ${attachable === 1 ? 'is' : 'are'} available.`
              : `${formatNoun(deliverable, 'lead')} can be exported, ${formatCount(attachable)} can be added to a campaign.`)
          }
        >
          <Input type="number" min={1} max={MOST} value={typed ?? (audience ? String(count) : '')} onValueChange={setTyped} />
        </Field>
        <KeyValue
          items={[
            ['Maximum cost', problem ? null : formatNoun(cost, 'credit')],
            ['Available', <Available key="available" credits={credits} mayRead={may('credits:read')} />],
            ['Remaining', credits && !problem && !isShort ? formatNoun(credits.available - cost, 'credit') : null],
          ]}
        />
        <p className="text-faint text-xs">
          Each new lead costs one credit.
          {problem ? null : ` When you buy, Overture reserves ${formatNoun(count, 'credit')} and returns unused ones.`}
        </p>
        {isShort ? (
          <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn text-xs">
            You have {formatNoun(credits.available, 'credit')}. Order fewer leads or{' '}
            <Link to="/developers/credits" className="underline">
              add credits
            </Link>
            .
          </p>
        ) : null}
        <Button
          variant="primary"
          icon={DownloadIcon}
          phase={buy.phase}
          disabled={problem !== null || deliverable === 0 || isShort || isBusy}
          onClick={() => void buy.run({ filters, leadCount: count })}
        >
          Buy and export CSV
        </Button>
        <ErrorNote error={buy.error} />
        {buy.isBusy ? <ExportProgress operation={buy.underWay} ordered={count} /> : null}
        {delivered ? <Delivered delivered={delivered} /> : null}
        <div className="flex flex-col gap-2 border-line border-t pt-4">
          <span className="font-medium text-sm">Or add to a campaign</span>
          <Combobox
            label="Campaign"
            placeholder="Choose a campaign"
            empty="No matching campaigns."
            options={campaigns.map(({ id: value, name }) => ({ value, label: name }))}
            value={campaignId}
            onChange={setCampaignId}
          />
          <Button
            icon={CampaignIcon}
            phase={attach.phase}
            disabled={problem !== null || isShort || isBusy || campaignId === null}
            onClick={() => campaignId && void attach.run({ campaignId, filters, leadCount: count })}
          >
            Buy and add to campaign
          </Button>
          <ErrorNote error={attach.error} />
          {attached ? (
            <Attached attached={attached} />
          ) : (
            <p className="text-faint text-xs">Leads already in the campaign are skipped and not charged.</p>
          )}
        </div>
      </div>
    </Card>
  )
}

/** Why nothing can be ordered. Null if it can. */
function orderProblem(filters: Filters, audience: Audience | undefined, count: number): string | null {
  if (Object.keys(filters).length === 0) return 'Add a filter first. Without one, you would buy the whole directory.'
  if (!audience) return 'Counting…'
  if (audience.attachableCount === 0) return 'No lead that matches can be bought. Remove a filter.'
  return Number.isInteger(count) && count >= 1 && count <= MOST ? null : `Enter a number between 1 and ${formatCount(MOST)}.`
}

function Available({ credits, mayRead }: { credits: { available: number } | undefined; mayRead: boolean }) {
  if (!credits) return mayRead ? '…' : 'Your role cannot see it'
  return <NumberLink link={{ to: '/developers/credits' }}>{formatNoun(credits.available, 'credit')}</NumberLink>
}

const Delivered = ({ delivered: { exportedCount, creditsCharged, downloadUrl } }: { delivered: LeadSearchDelivery }) => (
  <p role="status" className="rise flex flex-wrap items-center gap-2 rounded-lg bg-good-wash px-3 py-2 text-good">
    <CheckIcon className="shrink-0" />
    <span className="min-w-0 flex-1">
      <NumberLink link={{ to: '/find-leads', search: true as never, hash: 'exports' }} title="View exports">
        {formatNoun(exportedCount, 'lead')}
      </NumberLink>
      , <Charged count={creditsCharged} />.
    </span>
    {downloadUrl ? (
      <a href={downloadUrl} className={buttonClass('secondary', 'sm')} download>
        Download CSV
      </a>
    ) : null}
  </p>
)

const Attached = ({ attached: { campaignId, attachedCount, creditsCharged } }: { attached: LeadSearchAttachment }) => (
  <p role="status" className="rise rounded-lg bg-good-wash px-3 py-2 text-good">
    <NumberLink link={{ to: '/campaigns/$campaignId/leads', params: { campaignId } }} title="View leads">
      {formatNoun(attachedCount, 'lead')}
    </NumberLink>{' '}
    added, <Charged count={creditsCharged} />.{' '}
    <Link to="/campaigns/$campaignId" params={{ campaignId }} className="underline">
      Open campaign
    </Link>
  </p>
)

const Charged = ({ count }: { count: number }) => (
  <NumberLink link={{ to: '/developers/credits', hash: 'ledger' }} title="View credit history">
    {formatNoun(count, 'credit')} charged
  </NumberLink>
)

function ExportProgress({ operation, ordered }: { operation: LeadSearchDeliveryOperation | null; ordered: number }) {
  const { leadCount, writtenCount } = operation?.progress ?? {}
  return (
    <div role="status" className="flex items-center justify-between gap-3 text-soft text-xs">
      {leadCount === undefined ? (
        <span>
          {operation?.status === 'running'
            ? `Selecting ${formatNoun(ordered, 'lead')}`
            : operation?.status === 'queued'
              ? 'Waiting for another order to finish'
              : 'Placing the order'}
        </span>
      ) : (
        <>
          <span className="tabular">
            {formatCount(writtenCount ?? 0)} of {formatNoun(leadCount, 'lead')} exported
          </span>
          <Progress part={writtenCount ?? 0} whole={leadCount} label="Exported" />
        </>
      )}
    </div>
  )
}
