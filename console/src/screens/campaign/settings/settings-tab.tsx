import { useThisCampaign } from '../this-campaign.ts'
import { ContactRulesForm } from './contact-rules-form.tsx'
import { GeneralForm } from './general-form.tsx'
import { MailboxesForm } from './mailboxes-form.tsx'

/** Three forms that are saved on their own: what belongs together is changed together. */
export function SettingsTab() {
  const campaign = useThisCampaign()
  return (
    <div key={campaign.id} className="flex max-w-3xl flex-col gap-5">
      <GeneralForm campaign={campaign} />
      <MailboxesForm campaign={campaign} />
      <ContactRulesForm campaign={campaign} />
    </div>
  )
}
