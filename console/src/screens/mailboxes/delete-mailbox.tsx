import type { Campaign, Provider } from '@overture/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Status } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { PauseIcon } from '@/ui/icons.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { useCampaignsOf } from './data.ts'

/** Says what it affects before it is done. */
export function DeleteMailbox({ mailbox, onClose }: { mailbox: Provider; onClose: () => void }) {
  const { api } = useWorkspace()
  const navigate = useNavigate()
  const { data: campaigns, error } = useCampaignsOf(mailbox.id)
  const running = campaigns?.filter(isRunning) ?? []
  const remove = useOperation({
    send: (_: null, { idempotencyKey }) => api.providers.delete(mailbox.id, { idempotencyKey }),
    // The lists, not the mailbox itself: it is not there any more.
    touches: [['providers', 'list'], ['campaigns'], ['clock']],
    done: `${mailbox.fromEmail} is removed`,
    onDone: () => void navigate({ to: '/mailboxes', ignoreBlocker: true }),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title={`Remove ${mailbox.fromEmail}?`}
      description="Its password is forgotten and nothing is sent from it or read in it any more. What was sent and answered stays."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="danger"
            phase={remove.phase}
            onClick={() => void remove.run(null)}
            disabled={(!campaigns && !error) || running.length > 0}
          >
            Remove it
          </Button>
        </>
      }
    >
      <ErrorNote error={remove.error ?? error} className="mb-3" />
      {campaigns === undefined ? (
        error ? null : (
          <SkeletonLines count={2} />
        )
      ) : campaigns.length === 0 ? (
        <p className="text-soft">No campaign sends from it.</p>
      ) : (
        <>
          <p className="mb-2 text-soft">
            {running.length > 0
              ? 'Campaigns that run send from it. Pause them first, or give them another mailbox.'
              : 'These have it. Leads with a thread go on from another mailbox of their campaign, in a new thread.'}
          </p>
          <ul className="flex flex-col gap-1.5">
            {campaigns.map(campaign => (
              <Affected key={campaign.id} campaign={campaign} />
            ))}
          </ul>
        </>
      )}
    </Dialog>
  )
}

const isRunning = ({ status }: Campaign): boolean => status === 'active'

function Affected({ campaign }: { campaign: Campaign }) {
  const { api, may } = useWorkspace()
  const pause = useOperation({
    send: (_: null, options) => api.campaigns.pause(campaign.id, options),
    touches: [['campaigns'], ['campaign', campaign.id]],
    toastsErrors: true,
    repeats: true,
  })
  return (
    <li className="flex min-h-7 items-center gap-2">
      <span className="min-w-0 flex-1 truncate">
        <bdi>{campaign.name}</bdi>
      </span>
      <Status status={campaign.status} />
      {isRunning(campaign) && may('campaigns:write') ? (
        <Button size="sm" icon={PauseIcon} phase={pause.phase} onClick={() => void pause.run(null)}>
          Pause
        </Button>
      ) : null}
    </li>
  )
}
