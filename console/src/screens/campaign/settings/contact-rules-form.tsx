import type { Campaign, ContactOverrides, ContactRules } from '@overture/sdk'
import type { ReactNode } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useWorkspaceSettings } from '@/data/use-answer.ts'
import { Badge } from '@/ui/badge.tsx'
import { Button, optionsOf } from '@/ui/button.tsx'
import { type ConflictField, DraftCard, useDraft, useDraftSave } from '@/ui/draft.tsx'
import { Input } from '@/ui/field.tsx'
import { formatNoun } from '@/ui/format.ts'
import { Select } from '@/ui/select.tsx'
import { savesCampaign, useMayChange } from '../data.ts'

interface Values {
  rules: ContactOverrides
}

const FIELDS: readonly ConflictField<Values>[] = [
  { key: 'rules', label: 'Contact rules', format: ({ rules }) => describeRules(rules) || 'workspace defaults' },
]

/** The rules across campaigns that apply to this campaign, each with its origin. */
export function ContactRulesForm({ campaign }: { campaign: Campaign }) {
  const { api } = useWorkspace()
  const { data: workspace } = useWorkspaceSettings()
  const draft = useDraft<Values>({ rules: campaign.contactRules }, campaign.updatedAt)
  const { rules } = draft.value
  const mayWrite = useMayChange(campaign)
  const save = useDraftSave(draft, {
    ...savesCampaign(campaign.id),
    send: (sent, options) =>
      api.campaigns.updateSettings(campaign.id, { contactRules: sent.rules }, { ...options, ifMatch: draft.version }),
    done: 'Contact rules saved',
  })
  // Until the settings of the workspace are loaded, the effective rules stand in for its defaults.
  const inherited = workspace?.contactRules ?? campaign.effectiveContactRules
  return (
    <DraftCard
      title="Contact rules"
      description="Keep several campaigns from contacting the same person or company"
      draft={draft}
      fields={FIELDS}
      save={save}
      mayWrite={mayWrite}
      verb="Save rules"
    >
      <ul>
        {RULES.map(shape => {
          const own = rules[shape.rule]
          const set = (value: RuleValue | undefined) => draft.set({ rules: { ...rules, [shape.rule]: value } })
          return own === undefined ? (
            <RuleRow key={shape.rule} shape={shape} mark={<Badge>Workspace default</Badge>}>
              <span className="text-soft">{describeRule(shape, inherited[shape.rule])}</span>
              {mayWrite ? (
                <Button size="sm" onClick={() => set(shape.suggested)} aria-label={`Override for this campaign: ${shape.label}`}>
                  Override
                </Button>
              ) : null}
            </RuleRow>
          ) : (
            <RuleRow
              key={shape.rule}
              shape={shape}
              mark={<Badge tone="accent">This campaign</Badge>}
              note={`Workspace default: ${describeRule(shape, inherited[shape.rule])}`}
            >
              <RuleControl shape={shape} value={own} onChange={set} />
              <Button variant="ghost" onClick={() => set(undefined)}>
                Use workspace default
              </Button>
            </RuleRow>
          )
        })}
      </ul>
    </DraftCard>
  )
}

interface RuleRowProps {
  shape: RuleShape
  mark?: ReactNode
  note?: string
  children: ReactNode
}

export function RuleRow({ shape: { label, help }, mark, note, children }: RuleRowProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-2 border-line border-b px-4 py-3.5 last:border-b-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {label}
          {mark}
        </p>
        <p className="text-faint text-xs">{help}</p>
        {note ? <p className="mt-0.5 text-faint text-xs">{note}</p> : null}
      </div>
      <div className="flex flex-wrap items-center gap-2">{children}</div>
    </li>
  )
}

interface RuleControlProps {
  shape: RuleShape
  value: RuleValue
  onChange: (value: RuleValue) => void
}

export function RuleControl({ shape: { label, options, unit, none }, value, onChange }: RuleControlProps) {
  if (options) return <Select label={label} options={options} value={String(value)} onChange={next => onChange(next as RuleValue)} />
  return (
    <>
      <Input
        type="number"
        min={1}
        aria-label={label}
        value={value === null ? '' : String(value)}
        placeholder={none}
        onChange={({ target }) => onChange(target.value === '' ? null : Math.max(1, Math.trunc(Number(target.value))))}
        className="w-24"
      />
      <span className="text-faint text-xs">{value === 1 ? unit?.[0] : unit?.[1]}</span>
    </>
  )
}

type RuleValue = ContactRules[keyof ContactRules]

interface RuleShape {
  rule: keyof ContactRules
  label: string
  help: string
  /** Without options, the rule is a number with a unit, or none. */
  options?: readonly { value: string; label: string }[]
  unit?: readonly [one: string, many: string]
  none?: string
  /** The first value of an override. */
  suggested: RuleValue
}

/** The contact rules of a workspace or campaign, in the same words everywhere. */
export const RULES: readonly RuleShape[] = [
  {
    rule: 'contactedElsewhereWithinDays',
    label: 'Cooldown between campaigns',
    help: "Days to wait after another campaign's last email to this person.",
    unit: ['day', 'days'],
    none: 'No wait',
    suggested: 30,
  },
  {
    rule: 'inOtherActiveCampaign',
    label: 'Leads in multiple active campaigns',
    help: 'With one at a time, the campaign that already emailed the person has priority, or else the one that added the person first.',
    options: optionsOf({ allow: 'All campaigns', hold: 'One campaign at a time' }),
    suggested: 'hold',
  },
  {
    rule: 'companyReplied',
    label: 'When someone else at the company replies',
    help: 'Applies to other leads with the same domain. Gmail and similar domains are ignored.',
    options: optionsOf({ ignore: 'Keep sending', pause: 'Pause their coworkers', stop: 'Skip their coworkers' }),
    suggested: 'pause',
  },
  {
    rule: 'maxPerCompanyAtOnce',
    label: 'People per company at a time',
    help: 'Limits how many people at a company are in a sequence at the same time, across all campaigns.',
    unit: ['person', 'people'],
    none: 'No limit',
    suggested: 3,
  },
]

function describeRule({ options, unit, none }: RuleShape, value: RuleValue | undefined): string {
  if (options) return options.find(option => option.value === value)?.label ?? String(value)
  return value === null ? none! : formatNoun(Number(value), ...unit!)
}

/** A line for each rule that is set. */
export const describeRules = (rules: ContactOverrides): string =>
  RULES.flatMap(shape => (rules[shape.rule] === undefined ? [] : [`${shape.label}: ${describeRule(shape, rules[shape.rule])}`])).join('\n')
