import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useAllMailboxes, useThisCampaign } from '../data.ts'
import { ContactRulesForm } from './contact-rules-form.tsx'
import { GeneralForm } from './general-form.tsx'
import { MailboxesForm } from './mailboxes-form.tsx'

export function SettingsTab() {
  const campaign = useThisCampaign()
  const { hash } = useLocation()
  const { isSuccess } = useAllMailboxes()
  // Until the mailboxes are loaded, the page may be too short to scroll to its lower parts.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when the page has grown
  useEffect(() => {
    if (hash) document.getElementById(hash)?.scrollIntoView()
  }, [hash, isSuccess])
  return (
    <div key={campaign.id} className="flex max-w-3xl flex-col gap-5">
      <GeneralForm campaign={campaign} />
      <div id="mailboxes" className="scroll-mt-16">
        <MailboxesForm campaign={campaign} />
      </div>
      <div id="contact-rules" className="scroll-mt-16">
        <ContactRulesForm campaign={campaign} />
      </div>
    </div>
  )
}
