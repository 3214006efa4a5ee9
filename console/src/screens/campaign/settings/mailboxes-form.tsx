import type { Campaign, MailboxesUpdate, Provider } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { readableAddress } from '@/ui/address.ts'
import { Status } from '@/ui/badge.tsx'
import { buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { type ConflictField, DraftCard, useDraft, useDraftSave } from '@/ui/draft.tsx'
import { Checkbox } from '@/ui/field.tsx'
import { formatCount } from '@/ui/format.ts'
import { MailboxIcon } from '@/ui/icons.tsx'
import { Loaded } from '@/ui/loaded.tsx'
import { EmptyState, NoPermission } from '@/ui/states.tsx'
import { savesCampaign, useAllMailboxes, useMayChange } from '../data.ts'

interface Values {
  main: string | null
  rotation: string[]
}

export function MailboxesForm({ campaign }: { campaign: Campaign }) {
  const { may } = useWorkspace()
  const query = useAllMailboxes()
  if (query.data && query.data.length > 0) return <Form campaign={campaign} mailboxes={query.data} />
  return (
    <Card isFlush title="Mailboxes">
      {!may('providers:read') ? (
        <NoPermission scope="providers:read" className="py-8" />
      ) : (
        <Loaded query={query} className="p-4">
          {() => (
            <EmptyState
              icon={MailboxIcon}
              title="No mailboxes yet"
              className="py-8"
              actions={
                <Link to="/mailboxes/new" search={{ campaign: campaign.id }} className={buttonClass('secondary')}>
                  Connect mailbox
                </Link>
              }
            >
              Connect a mailbox for this campaign to send from.
            </EmptyState>
          )}
        </Loaded>
      )}
    </Card>
  )
}

function Form({ campaign, mailboxes }: { campaign: Campaign; mailboxes: readonly Provider[] }) {
  const { api } = useWorkspace()
  const saved: Values = { main: campaign.providerId, rotation: [...campaign.rotationProviderIds].sort() }
  const draft = useDraft<Values>(saved, campaign.updatedAt)
  const [movesThreads, setMovesThreads] = useState(false)
  const { value, set } = draft
  const mayWrite = useMayChange(campaign)
  const save = useDraftSave(draft, {
    ...savesCampaign(campaign.id),
    send: ({ main, rotation }, options) => {
      const body: MailboxesUpdate = {
        ...(main ? { providerId: main } : {}),
        rotationProviderIds: rotation,
        ...(movesThreads && leaving.length > 0 ? { moveThreads: true } : {}),
      }
      return api.campaigns.updateMailboxes(campaign.id, body, { ...options, ifMatch: draft.version })
    },
    done: 'Mailboxes saved',
  })
  const nameOf = (id: string | null): string => mailboxes.find(mailbox => mailbox.id === id)?.name ?? (id ? 'a removed mailbox' : 'none')
  const fields: readonly ConflictField<Values>[] = [
    { key: 'main', label: 'Main mailbox', format: ({ main }) => nameOf(main) },
    { key: 'rotation', label: 'Rotation', format: ({ rotation }) => rotation.map(nameOf).join(', ') || 'none' },
  ]
  const before = [saved.main, ...saved.rotation].filter(id => id !== null)
  const leaving = before.filter(id => id !== value.main && !value.rotation.includes(id))
  const toggle = (id: string, isOn: boolean) =>
    set({ rotation: (isOn ? [...value.rotation, id] : value.rotation.filter(other => other !== id)).sort() })
  return (
    <DraftCard
      title="Mailboxes"
      description="The main mailbox always sends. Check Rotation to add others. Mailboxes with more of their daily limit left get more leads, and each lead keeps its mailbox."
      draft={draft}
      fields={fields}
      save={save}
      mayWrite={mayWrite}
      isWrong={value.main === null}
      verb="Save mailboxes"
    >
      <ul>
        {mailboxes.map(mailbox => {
          const isMain = mailbox.id === value.main
          return (
            <li key={mailbox.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line px-4 py-3 not-last:border-b">
              <div className="min-w-0 flex-1 basis-48">
                <p className="flex items-center gap-2">
                  <span className="truncate font-medium">{mailbox.name}</span>
                  {mailbox.status === 'connected' ? null : <Status status={mailbox.status} />}
                </p>
                <p className="truncate text-faint text-xs">
                  {readableAddress(mailbox.fromEmail)} · up to {formatCount(mailbox.dailyCap)} a day
                </p>
              </div>
              <div className="flex items-center gap-4">
                <label className="flex items-center gap-2 text-sm">
                  <input
                    type="radio"
                    name="main-mailbox"
                    className="accent-accent"
                    checked={isMain}
                    onChange={() => set({ main: mailbox.id, rotation: value.rotation.filter(id => id !== mailbox.id) })}
                  />
                  Main<span className="sr-only"> mailbox: {mailbox.name}</span>
                </label>
                <Checkbox
                  label={
                    <>
                      Rotation<span className="sr-only">: {mailbox.name}</span>
                    </>
                  }
                  checked={isMain || value.rotation.includes(mailbox.id)}
                  disabled={isMain}
                  onChange={isOn => toggle(mailbox.id, isOn)}
                />
              </div>
            </li>
          )
        })}
      </ul>
      {unevenGaps(mailboxes.filter(({ id }) => id === value.main || value.rotation.includes(id)))}
      {mayWrite && leaving.length > 0 ? (
        <Checkbox
          className="border-line border-t px-4 py-3"
          label={`Move conversations from ${leaving.map(nameOf).join(', ')} to another mailbox`}
          help="Starts a new thread. If off, these leads keep their mailbox as long as it exists."
          checked={movesThreads}
          onChange={setMovesThreads}
        />
      ) : null}
    </DraftCard>
  )
}

/** A mailbox that waits longer between two emails is free less often, so it gets fewer of the new leads. */
function unevenGaps(chosen: readonly Provider[]) {
  const gaps = chosen.map(({ minGapSeconds }) => minGapSeconds)
  const [shortest, longest] = [Math.min(...gaps), Math.max(...gaps)]
  if (chosen.length < 2 || longest < 2 * Math.max(1, shortest)) return null
  return (
    <p className="border-line border-t px-4 py-3 text-faint text-sm">
      These mailboxes wait between {formatCount(shortest)} and {formatCount(longest)} seconds after each email. Those with a shorter delay
      get more of the new leads. Set the same delay in each mailbox to share new leads evenly.
    </p>
  )
}
