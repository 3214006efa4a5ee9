import type { Campaign } from '@overture/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { ArchiveIcon, DuplicateIcon, MoreIcon, PauseIcon, PlayIcon } from '@/ui/icons.tsx'
import { Menu, type MenuEntry } from '@/ui/menu.tsx'
import { ErrorNote } from '@/ui/states.tsx'

/** What can be done with a campaign from a list: the next step as a button that follows its operation, the rest in a menu. */
export function CampaignActions({ campaign }: { campaign: Campaign }) {
  const { api, may } = useWorkspace()
  const { id, status } = campaign
  const [isDuplicating, setDuplicating] = useState(false)
  const touches = [['campaigns'], ['campaign', id]]
  const pause = useOperation({ send: (_: null, options) => api.campaigns.pause(id, options), touches, toastsErrors: true })
  const resume = useOperation({ send: (_: null, options) => api.campaigns.resume(id, options), touches, toastsErrors: true })
  const archive = useOperation({
    send: (_: null, options) => api.campaigns.archive(id, options),
    touches,
    toastsErrors: true,
    done: `“${campaign.name}” is archived`,
  })
  const unarchive = useOperation({
    send: (_: null, options) => api.campaigns.unarchive(id, options),
    touches,
    toastsErrors: true,
    done: `“${campaign.name}” is back`,
  })
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
      {isDuplicating ? <Duplicate campaign={campaign} onClose={() => setDuplicating(false)} /> : null}
    </div>
  )
}

function Duplicate({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const { api } = useWorkspace()
  const navigate = useNavigate()
  const [name, setName] = useState(`${campaign.name} (copy)`)
  const duplicate = useOperation({
    send: (body: { name: string }, options) => api.campaigns.duplicate(campaign.id, body, options),
    touches: [['campaigns']],
    done: 'The copy is a draft',
    onDone: result => {
      onClose()
      const copy = result as { campaignId?: string; id?: string } | null
      const copyId = copy?.campaignId ?? copy?.id
      if (copyId) void navigate({ to: '/campaigns/$campaignId', params: { campaignId: copyId } })
    },
  })
  const nameIssue = issueFor(duplicate.error, 'name')
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title="Duplicate the campaign"
      description="Its sequence, schedule and settings; without leads and results."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" phase={duplicate.phase} disabled={!name.trim()} type="submit" form="duplicate-campaign">
            Duplicate
          </Button>
        </>
      }
    >
      <form
        id="duplicate-campaign"
        className="flex flex-col gap-4"
        onSubmit={event => {
          event.preventDefault()
          void duplicate.run({ name })
        }}
      >
        {nameIssue ? null : <ErrorNote error={duplicate.error} />}
        <Field label="Name" error={nameIssue}>
          <Input value={name} onChange={event => setName(event.target.value)} autoFocus />
        </Field>
      </form>
    </Dialog>
  )
}
