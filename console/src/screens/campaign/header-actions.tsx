import type { Campaign } from '@overture/sdk'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { CampaignActions } from '@/screens/campaigns/campaign-actions.tsx'
import { useTransition } from '@/screens/campaigns/data.ts'
import { Button } from '@/ui/button.tsx'
import { PlayIcon } from '@/ui/icons.tsx'

/** What can be done with the campaign now. A draft is activated, one that stands still goes on; everything else is as in the list. */
export function CampaignHeaderActions({ campaign }: { campaign: Campaign }) {
  const { may } = useWorkspace()
  const { status } = campaign
  const activate = useTransition(campaign, 'activate', { outcome: 'is active', toastsErrors: 'until elsewhere' })
  const resume = useTransition(campaign, 'resume', { outcome: 'goes on', toastsErrors: 'until elsewhere' })
  const { pathname } = useLocation()
  // Elsewhere is the remedy: the button does not warn of what may be mended by then.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only going somewhere ends it
  useEffect(() => {
    for (const { phase, reset } of [activate, resume]) if (phase === 'failed') reset()
  }, [pathname])
  return (
    <>
      {may('campaigns:write') && (status === 'draft' || activate.isBusy) ? (
        <Button variant="primary" icon={PlayIcon} phase={activate.phase} onClick={() => void activate.run(null)}>
          Activate
        </Button>
      ) : null}
      {may('campaigns:write') && (status === 'attention_needed' || (resume.isBusy && status !== 'paused')) ? (
        <Button icon={PlayIcon} phase={resume.phase} onClick={() => void resume.run(null)}>
          Resume
        </Button>
      ) : null}
      <CampaignActions campaign={campaign} />
    </>
  )
}
