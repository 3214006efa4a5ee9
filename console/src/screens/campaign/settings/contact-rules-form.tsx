import type { Campaign, ContactOverrides, ContactRules } from '@overture/sdk'
import { useWorkspace } from '@/data/session.ts'
import { useWorkspaceSettings } from '@/data/use-answer.ts'
import { Badge } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Select } from '@/ui/select.tsx'
import type { ConflictField } from '../conflict-panel.tsx'
import { useDraft, useMayChange, useSettingsSave } from '../draft.ts'
import { SettingsForm } from './settings-form.tsx'

interface Values {
  rules: ContactOverrides
}

const wordAll = ({ rules }: Values): string =>
  RULES.filter(({ rule }) => rules[rule] !== undefined)
    .map(shape => `${shape.label}: ${wordRule(shape, rules[shape.rule])}`)
    .join('; ') || 'workspace defaults'

const FIELDS: readonly ConflictField<Values>[] = [{ key: 'rules', label: 'Contact rules', word: wordAll }]

/** The rules across campaigns that hold here, each with where it comes from. */
export function ContactRulesForm({ campaign }: { campaign: Campaign }) {
  const { api } = useWorkspace()
  const { data: workspace } = useWorkspaceSettings()
  const draft = useDraft<Values>({ rules: campaign.contactRules }, campaign.updatedAt)
  const { value, set } = draft
  const mayWrite = useMayChange(campaign)
  const save = useSettingsSave(campaign, {
    send: ({ rules }: Values, options) =>
      api.campaigns.updateSettings(campaign.id, { contactRules: rules }, { ...options, ifMatch: draft.version }),
    done: 'Contact rules saved',
  })
  // Where the workspace is not known yet, what holds without a word of the campaign is its own.
  const inherited = workspace?.contactRules ?? campaign.effectiveContactRules
  const change = (rule: keyof ContactRules, next: ContactRules[keyof ContactRules] | undefined) =>
    set({ rules: { ...value.rules, [rule]: next } })
  return (
    <SettingsForm
      title="Contact rules"
      description="Rules across all campaigns that apply to the leads of this campaign"
      draft={draft}
      fields={FIELDS}
      save={save}
      mayWrite={mayWrite}
      verb="Save rules"
      onSave={() => void save.run(value)}
    >
      <ul>
        {RULES.map(shape => (
          <Rule
            key={shape.rule}
            shape={shape}
            own={value.rules[shape.rule]}
            inherited={inherited[shape.rule]}
            disabled={!mayWrite}
            onChange={next => change(shape.rule, next)}
          />
        ))}
      </ul>
    </SettingsForm>
  )
}

interface RuleProps {
  shape: RuleShape
  /** Undefined: as in the workspace. */
  own: ContactRules[keyof ContactRules] | undefined
  inherited: ContactRules[keyof ContactRules]
  disabled: boolean
  onChange: (value: ContactRules[keyof ContactRules] | undefined) => void
}

function Rule({ shape, own, inherited, disabled, onChange }: RuleProps) {
  const isOwn = own !== undefined
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-2 border-line border-b px-4 py-3.5 last:border-b-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {shape.label}
          <Badge tone={isOwn ? 'accent' : 'neutral'}>{isOwn ? 'This campaign' : 'Workspace'}</Badge>
        </p>
        <p className="text-faint text-xs">{shape.help}</p>
        {isOwn ? <p className="mt-0.5 text-faint text-xs">Workspace default: {wordRule(shape, inherited)}</p> : null}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {isOwn ? (
          <>
            {shape.options ? (
              <Select
                label={shape.label}
                options={shape.options}
                value={String(own)}
                onChange={next => onChange(next as never)}
                disabled={disabled}
              />
            ) : (
              <NumberOrNone shape={shape} value={own as number | null} disabled={disabled} onChange={onChange} />
            )}
            <Button variant="ghost" disabled={disabled} onClick={() => onChange(undefined)}>
              Use workspace default
            </Button>
          </>
        ) : (
          <>
            <span className="text-soft">{wordRule(shape, inherited)}</span>
            {disabled ? null : (
              <Button
                size="sm"
                onClick={() => onChange(shape.suggested as never)}
                aria-label={`Override for this campaign: ${shape.label}`}
              >
                Override
              </Button>
            )}
          </>
        )}
      </div>
    </li>
  )
}

function NumberOrNone({ shape, value, disabled, onChange }: Pick<RuleProps, 'shape' | 'disabled' | 'onChange'> & { value: number | null }) {
  return (
    <span className="flex items-center gap-2">
      <input
        type="number"
        min={1}
        aria-label={shape.label}
        disabled={disabled}
        value={value ?? ''}
        placeholder="No limit"
        onChange={event => onChange(event.target.value === '' ? null : Math.max(1, Math.trunc(Number(event.target.value))))}
        className="field-box h-8 w-24 px-2.5 field-text"
      />
      <span className="text-faint text-xs">{shape.unit}</span>
    </span>
  )
}

interface RuleShape {
  rule: keyof ContactRules
  label: string
  help: string
  /** A choice, or a number that may be none. */
  options: readonly { value: string; label: string }[] | null
  unit?: string
  suggested: number | string
}

const RULES: readonly RuleShape[] = [
  {
    rule: 'contactedElsewhereWithinDays',
    label: 'Emailed by another campaign',
    help: 'The first email waits until no other campaign has emailed the person for this many days.',
    options: null,
    unit: 'days',
    suggested: 30,
  },
  {
    rule: 'inOtherActiveCampaign',
    label: 'In several active campaigns',
    help: 'If a person is in several active campaigns, only the first one contacts them.',
    options: [
      { value: 'allow', label: 'All can send' },
      { value: 'hold', label: 'One at a time' },
    ],
    suggested: 'hold',
  },
  {
    rule: 'companyReplied',
    label: 'A colleague replied',
    help: 'Applies to other leads with the same domain. Gmail and similar domains are ignored.',
    options: [
      { value: 'ignore', label: 'Keep sending' },
      { value: 'pause', label: 'Pause them' },
      { value: 'stop', label: 'Skip them' },
    ],
    suggested: 'pause',
  },
  {
    rule: 'maxPerCompanyAtOnce',
    label: 'People per company at a time',
    help: 'Limits how many people of a company are in a sequence at the same time, across all campaigns.',
    options: null,
    unit: 'people',
    suggested: 3,
  },
]

function wordRule(shape: RuleShape, value: ContactRules[keyof ContactRules] | undefined): string {
  if (value === undefined) return 'workspace default'
  if (shape.options) return shape.options.find(option => option.value === value)?.label ?? String(value)
  return value === null ? 'No limit' : `${value} ${shape.unit}`
}
