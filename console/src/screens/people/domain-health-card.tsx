import { Switch } from '@/ui/toggles.tsx'
import { type PartProps, SettingsCard, usePart } from './settings-card.tsx'

export function DomainHealthCard({ settings }: PartProps) {
  const part = usePart(settings, 'domainHealth')
  return (
    <SettingsCard part={part} title="Health of domains" description="SPF, DKIM and DMARC of the domains that you send from." verb="Save">
      <Switch
        label="Start campaigns only from healthy domains"
        help="On: a campaign does not start while the domain of one of its mailboxes fails a check, or was never checked. Off: it starts, with a warning."
        checked={part.value === 'require'}
        disabled={part.disabled}
        onChange={isOn => part.set(isOn ? 'require' : 'warn')}
      />
    </SettingsCard>
  )
}
