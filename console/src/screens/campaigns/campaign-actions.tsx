import type { Campaign } from '@overture/sdk'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { Button } from '@/ui/button.tsx'
import { ArchiveIcon, DuplicateIcon, MoreIcon, PauseIcon, PlayIcon } from '@/ui/icons.tsx'
import { lazyPart } from '@/ui/lazy-part.ts'
import { Menu } from '@/ui/menu.tsx'
import type { MenuEntry } from '@/ui/menu-entries.ts'
import { useTransition } from './data.ts'

const DuplicateCampaign = lazyPart(() => import('./duplicate-campaign.tsx').then(module => module.DuplicateCampaign))

/** What can be done with a campaign from a list: the next step as a button that follows its operation, the rest in a menu. */
export function CampaignActions({ campaign }: { campaign: Campaign }) {
  const { may } = useWorkspace()
  const { status } = campaign
  const [isDuplicating, setDuplicating] = useState(false)
  const pause = useTransition(campaign, 'pause')
  const resume = useTransition(campaign, 'resume')
  const archive = useTransition(campaign, 'archive', { outcome: 'is archived' })
  const unarchive = useTransition(campaign, 'unarchive', { outcome: 'is back' })
  if (!may('campaigns:write')) return null

  const entries: MenuEntry[] = [{ label: 'Duplicate…', icon: DuplicateIcon, onSelect: () => setDuplicating(true) }]
  if (status === 'archived')
    entries.push({ label: 'Bring back', icon: ArchiveIcon, onSelect: () => void unarchive.run(null), pending: unarchive.isBusy })
  else
    entries.push({
      label: 'Archive',
      icon: ArchiveIcon,
      onSelect: () => void archive.run(null),
      pending: archive.isBusy,
      disabled: status === 'active',
      ...(status === 'active' ? { hint: 'pause first' } : {}),
    })

  return (
    <div className="relative z-1 flex items-center justify-end gap-1">
      {status === 'active' || pause.isBusy ? (
        <Button size="sm" icon={PauseIcon} phase={pause.phase} onClick={() => void pause.run(null)}>
          Pause
        </Button>
      ) : null}
      {status === 'paused' || resume.isBusy ? (
        <Button size="sm" icon={PlayIcon} phase={resume.phase} onClick={() => void resume.run(null)}>
          Resume
        </Button>
      ) : null}
      <Menu
        trigger={
          <Button
            size="sm"
            variant="ghost"
            icon={MoreIcon}
            pending={archive.isBusy || unarchive.isBusy}
            label={`More for ${campaign.name}`}
          />
        }
        entries={entries}
      />
      {isDuplicating ? <DuplicateCampaign campaign={campaign} onClose={() => setDuplicating(false)} /> : null}
    </div>
  )
}
