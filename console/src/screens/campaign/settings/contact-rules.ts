import type { ContactRules } from '@overture/sdk'

type Rule = keyof ContactRules

export interface RuleShape {
  rule: Rule
  label: string
  help: string
  /** A choice, or a number that may be none. */
  options: readonly { value: string; label: string }[] | null
  unit?: string
  suggested: number | string
}

export const RULES: readonly RuleShape[] = [
  {
    rule: 'contactedElsewhereWithinDays',
    label: 'Written to by another campaign',
    help: 'A first message waits until no other campaign has written to the person for so many days.',
    options: null,
    unit: 'days',
    suggested: 30,
  },
  {
    rule: 'inOtherActiveCampaign',
    label: 'In several active campaigns',
    help: 'One of them writes to the person at a time: the one that has written before, or that the person was added to first.',
    options: [
      { value: 'allow', label: 'All may write' },
      { value: 'hold', label: 'One at a time' },
    ],
    suggested: 'hold',
  },
  {
    rule: 'companyReplied',
    label: 'A colleague has answered',
    help: 'What becomes of everybody else with the same domain. Providers of personal mailboxes are no company.',
    options: [
      { value: 'ignore', label: 'Go on' },
      { value: 'pause', label: 'Hold them back' },
      { value: 'stop', label: 'Skip them' },
    ],
    suggested: 'pause',
  },
  {
    rule: 'maxPerCompanyAtOnce',
    label: 'People of one company at a time',
    help: 'How many may be in a sequence at a time, in all campaigns.',
    options: null,
    unit: 'people',
    suggested: 3,
  },
]

export function wordRule(shape: RuleShape, value: ContactRules[Rule] | undefined): string {
  if (value === undefined) return 'as in the workspace'
  if (shape.options) return shape.options.find(option => option.value === value)?.label ?? String(value)
  return value === null ? 'No limit' : `${value} ${shape.unit}`
}
