import { type Campaign, OvertureError } from '@overture/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { useThisCampaign } from '@/screens/campaign/data.ts'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { type Conflict, ConflictPanel, SaveBar, useDraft } from '@/ui/draft.tsx'
import { Form } from '@/ui/field.tsx'
import { CopyIcon, EditIcon, InfoIcon, MailboxIcon, PlusIcon } from '@/ui/icons.tsx'
import { isSame } from '@/ui/json.ts'
import { Loaded } from '@/ui/loaded.tsx'
import { EmptyState, ErrorNote } from '@/ui/states.tsx'
import { CopySequence } from './copy-sequence.tsx'
import { sequenceQuery, useFirstLeads, useSequence } from './data.ts'
import { PreviewPane } from './preview-pane.tsx'
import { StepCard } from './step-card.tsx'
import { type DraftStep, describeStep, MOST_STEPS, newStep, toNewSequence, whatIsMissing } from './steps.ts'

export function SequenceScreen() {
  const campaign = useThisCampaign()
  return (
    <Loaded query={useSequence(campaign.id)} lines={10}>
      {sequence => <SequenceEditor key={campaign.id} campaign={campaign} sequence={sequence} />}
    </Loaded>
  )
}

type Draft = { steps: DraftStep[] }
type SavedSequence = NonNullable<ReturnType<typeof useSequence>['data']>

/** The steps on one side, and the preview of the current one on the other. */
function SequenceEditor({ campaign, sequence }: { campaign: Campaign; sequence: SavedSequence }) {
  const { api, may } = useWorkspace()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const search = useSearch({ from: '/shell/campaigns/$campaignId/sequence' })
  const { data: leads = [] } = useFirstLeads(campaign.id)
  const savedDraft = useMemo(() => ({ steps: sequence.steps }), [sequence.steps])
  const draft = useDraft<Draft>(savedDraft, sequence.version)
  const { steps } = draft.value
  const form = useRef<HTMLFormElement>(null)
  const step = Math.min(Math.max(0, Number(search.step ?? 1) - 1), Math.max(0, steps.length - 1))
  const variant = Math.min(Number(search.variant ?? 0), (steps[step]?.variants.length ?? 1) - 1)
  const look = (changed: { step?: string; variant?: string | undefined; lead?: string | undefined }) =>
    void navigate({ to: '.', replace: true, resetScroll: false, search: { ...search, ...changed } as never })
  const openStep = (index: number) => look({ step: String(index + 1), variant: undefined })
  const setSteps = (next: DraftStep[]) => draft.set({ steps: next })
  const isEditable = may('campaigns:write') && (campaign.status === 'draft' || campaign.status === 'paused')
  const missing = whatIsMissing(steps)

  const save = useOperation({
    send: async (wanted: DraftStep[], options): Promise<unknown> => {
      const put = (ifMatch: string) => api.sequences.replace(campaign.id, toNewSequence(wanted), { ...options, ifMatch })
      try {
        return await put(draft.version)
      } catch (error) {
        if (!(error instanceof OvertureError) || error.code !== 'precondition_failed') throw error
        // The campaign has changed. The user is asked only if the sequence has.
        const now = await queries.fetchQuery({ ...sequenceQuery(api, campaign.id), staleTime: 0 })
        if (!isSame(now.steps, sequence.steps)) throw error
        return await api.sequences.replace(campaign.id, toNewSequence(wanted), { wait: options.wait, ifMatch: now.version })
      }
    },
    touches: [['campaign', campaign.id], ['campaigns'], ['readiness', campaign.id]],
    done: 'Sequence saved',
  })
  const isBlocked = missing !== null || draft.conflict !== null
  const submit = () => {
    if (isEditable && draft.isDirty && !isBlocked && !save.isBusy) void save.run(steps)
  }
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      form.current?.requestSubmit()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])

  if (steps.length === 0) return <SequenceStart campaign={campaign} isEditable={isEditable} onWrite={() => setSteps([newStep(true)])} />
  const add = () => {
    setSteps([...steps, newStep(false)])
    openStep(steps.length)
  }
  const change = (index: number, next: DraftStep | null) => {
    setSteps(next ? steps.map((each, at) => (at === index ? next : each)) : firstAtOnce(steps.filter((_, at) => at !== index)))
    if (!next && step >= index) openStep(Math.max(0, step - 1))
  }
  const move = (index: number, by: 1 | -1) => {
    const next = [...steps]
    next.splice(index + by, 0, ...next.splice(index, 1))
    setSteps(firstAtOnce(next))
    openStep(index + by)
  }
  return (
    <Form ref={form} className="flex flex-col gap-4" onSubmit={submit}>
      {isEditable ? null : (
        <p className="flex items-center gap-2 rounded-lg bg-info-wash px-3 py-2 text-info">
          <InfoIcon className="shrink-0" />
          {may('campaigns:write')
            ? (READ_ONLY[campaign.status] ?? 'Pause the campaign to edit the sequence.')
            : 'Your role does not allow changes. You can only read the sequence.'}
        </p>
      )}
      {draft.conflict ? <SequenceConflict conflict={draft.conflict} onResolve={next => draft.resolve({ steps: next })} /> : null}
      {draft.conflict ? null : <ErrorNote error={save.error} />}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
        <div className="flex min-w-0 flex-col gap-3">
          {steps.map((each, index) => (
            <StepCard
              // biome-ignore lint/suspicious/noArrayIndexKey: an unsaved step has no other key
              key={index}
              campaignId={campaign.id}
              index={index}
              count={steps.length}
              step={each}
              isOpen={index === step}
              variant={index === step ? variant : 0}
              isEditable={isEditable}
              leads={leads}
              error={save.error}
              onSelect={chosen => (index === step ? look({ variant: chosen ? String(chosen) : undefined }) : openStep(index))}
              onChange={next => change(index, next)}
              onMove={by => move(index, by)}
            />
          ))}
          {isEditable && steps.length < MOST_STEPS ? (
            <Button icon={PlusIcon} className="self-start" onClick={add}>
              Add step
            </Button>
          ) : null}
        </div>
        <PreviewPane
          campaign={campaign}
          asked={{ steps, step, variant, leadId: search.lead }}
          savedVariantId={draft.isDirty ? undefined : sequence.saved[step]?.variants[variant]?.id}
          isDirty={draft.isDirty}
          leads={leads}
          onLead={lead => look({ lead })}
        />
      </div>
      <SaveBar
        isDirty={draft.isDirty}
        isBlocked={isBlocked}
        problem={missing}
        phase={save.phase}
        onReset={draft.isDirty ? draft.reset : null}
        note={sequence.number > 0 ? 'Leads in progress keep the old version.' : null}
      >
        Save sequence
      </SaveBar>
    </Form>
  )
}

const firstAtOnce = (steps: DraftStep[]): DraftStep[] => steps.map((step, index) => (index === 0 ? { ...step, delayDays: 0 } : step))

const READ_ONLY: Partial<Record<Campaign['status'], string>> = {
  completed: 'The campaign is completed. Duplicate it to edit the sequence.',
  archived: 'The campaign is archived. Unarchive it to edit the sequence.',
}

type Keyed = Record<string, DraftStep | undefined>
const keyed = ({ steps }: Draft): Keyed => Object.fromEntries(steps.map((step, index) => [String(index), step]))

/** For each step, the user chooses between their version and the saved one. */
function SequenceConflict({ conflict, onResolve }: { conflict: Conflict<Draft>; onResolve: (steps: DraftStep[]) => void }) {
  const count = Math.max(conflict.mine.steps.length, conflict.theirs.steps.length)
  return (
    <ConflictPanel<Keyed>
      conflict={{ base: keyed(conflict.base), mine: keyed(conflict.mine), theirs: keyed(conflict.theirs) }}
      fields={Array.from({ length: count }, (_, index) => ({
        key: String(index),
        label: `Step ${index + 1}`,
        format: value => describeStep(value[index]),
      }))}
      onResolve={value => onResolve(Array.from({ length: count }, (_, index) => value[index]).filter(step => step !== undefined))}
    />
  )
}

/** For a campaign without steps: write the first one, or copy those of another campaign. */
function SequenceStart({ campaign, isEditable, onWrite }: { campaign: Campaign; isEditable: boolean; onWrite: () => void }) {
  const [isCopying, setCopying] = useState(false)
  return (
    <Card>
      <EmptyState
        icon={MailboxIcon}
        title="No steps yet"
        actions={
          isEditable ? (
            <>
              <Button variant="primary" icon={EditIcon} onClick={onWrite}>
                Write first step
              </Button>
              <Button icon={CopyIcon} onClick={() => setCopying(true)}>
                Copy from another campaign
              </Button>
            </>
          ) : null
        }
      >
        A sequence is a first email plus follow-ups for leads who do not reply. Each step can have variants for A/B tests.
      </EmptyState>
      {isCopying ? <CopySequence campaign={campaign} onClose={() => setCopying(false)} /> : null}
    </Card>
  )
}
