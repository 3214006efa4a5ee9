import type { Campaign } from '@overture/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { FormDialog } from '@/ui/dialog.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { ArchiveIcon, DuplicateIcon, MoreIcon, PauseIcon, PlayIcon } from '@/ui/icons.tsx'
import { Menu, type MenuEntry } from '@/ui/menu.tsx'
import { useTransition } from './data.ts'

/** The actions for a campaign: the main one as a button, the others in a menu. */
export function CampaignActions({ campaign }: { campaign: Campaign }) {
  const { may } = useWorkspace()
  const { status } = campaign
  const [isDuplicating, setDuplicating] = useState(false)
  const pause = useTransition(campaign, 'pause')
  const resume = useTransition(campaign, 'resume')
  const archive = useTransition(campaign, 'archive', { outcome: 'archived' })
  const unarchive = useTransition(campaign, 'unarchive', { outcome: 'unarchived' })
  if (!may('campaigns:write')) return null

  const entries: MenuEntry[] = [{ label: 'Duplicate…', icon: DuplicateIcon, onSelect: () => setDuplicating(true) }]
  if (status === 'archived')
    entries.push({ label: 'Unarchive', icon: ArchiveIcon, onSelect: () => void unarchive.run(null), pending: unarchive.isBusy })
  else
    entries.push({
      label: 'Archive',
      icon: ArchiveIcon,
      onSelect: () => void archive.run(null),
      pending: archive.isBusy,
      disabled: status === 'active',
      ...(status === 'active' ? { hint: 'pause it first' } : {}),
    })

  return (
    <div className="relative z-1 flex items-center justify-end gap-1">
      {status === 'active' || status === 'attention_needed' || pause.isBusy ? (
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
            label={`More actions for ${campaign.name}`}
          />
        }
        entries={entries}
      />
      {isDuplicating ? <DuplicateCampaign campaign={campaign} onClose={() => setDuplicating(false)} /> : null}
    </div>
  )
}

function DuplicateCampaign({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { api } = useWorkspace()
  const navigate = useNavigate()
  const [name, setName] = useState(`${campaign.name} (copy)`)
  const duplicate = useOperation({
    send: (body: { name: string }, options) => api.campaigns.duplicate(campaign.id, body, options),
    once: `duplicate ${campaign.id}`,
    touches: [['campaigns']],
    done: 'Campaign duplicated as a draft',
    onDone: ({ campaign: copy }) => {
      onClose()
      void navigate({ to: '/campaigns/$campaignId', params: { campaignId: copy.id } })
    },
  })
  const nameIssue = issueFor(duplicate.error, 'name')
  return (
    <FormDialog
      onClose={onClose}
      size="sm"
      title="Duplicate campaign"
      description="Copies the sequence, schedule and settings. Leads and results are not copied."
      verb="Duplicate campaign"
      operation={duplicate}
      isComplete={name.trim() !== ''}
      onSubmit={() => void duplicate.run({ name })}
      issue={nameIssue}
    >
      <Field label="Name" error={nameIssue}>
        <Input value={name} onValueChange={setName} autoFocus />
      </Field>
    </FormDialog>
  )
}
