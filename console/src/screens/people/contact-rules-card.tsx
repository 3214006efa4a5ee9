import type { ContactRules } from '@overture/sdk'
import { OptionalNumber } from '@/ui/optional-number.tsx'
import { Select } from '@/ui/select.tsx'
import { Switch } from '@/ui/toggles.tsx'
import { type PartProps, SettingsCard, usePart } from './settings-card.tsx'

const COMPANY_REPLIED = [
  { value: 'ignore', label: 'goes on as planned' },
  { value: 'pause', label: 'is held back' },
  { value: 'stop', label: 'is skipped' },
] as const

export function ContactRulesCard({ settings }: PartProps) {
  const part = usePart(settings, 'contactRules')
  const { value: rules, disabled } = part
  const set = (changed: Partial<ContactRules>) => part.set({ ...rules, ...changed })
  return (
    <SettingsCard
      part={part}
      title="Contact rules"
      description="What campaigns mean for each other. A campaign can set its own."
      verb="Save the rules"
    >
      <OptionalNumber
        label="Wait after another campaign has written"
        help="A first message waits until no other campaign has written to the person for this long."
        unit="days"
        most={365}
        start={30}
        value={rules.contactedElsewhereWithinDays}
        disabled={disabled}
        onChange={contactedElsewhereWithinDays => set({ contactedElsewhereWithinDays })}
      />
      <OptionalNumber
        label="Limit people of one company"
        help="So many of them may be in a sequence at a time, in all campaigns together."
        unit="at once"
        most={1000}
        start={2}
        value={rules.maxPerCompanyAtOnce}
        disabled={disabled}
        onChange={maxPerCompanyAtOnce => set({ maxPerCompanyAtOnce })}
      />
      <Switch
        label="One campaign per person at a time"
        help="Who is in several active campaigns is written to by the one that began; the others wait."
        checked={rules.inOtherActiveCampaign === 'hold'}
        disabled={disabled}
        onChange={isOn => set({ inOtherActiveCampaign: isOn ? 'hold' : 'allow' })}
      />
      <div className="flex flex-wrap items-center gap-2">
        <span>When somebody of a company answers, everybody else there</span>
        <Select
          label="When somebody of a company answers"
          options={COMPANY_REPLIED}
          value={rules.companyReplied}
          disabled={disabled}
          onChange={companyReplied => set({ companyReplied })}
        />
      </div>
    </SettingsCard>
  )
}
