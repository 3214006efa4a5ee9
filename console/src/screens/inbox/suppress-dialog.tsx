import type { NewSuppression, Reply } from '@overture/sdk'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { Dialog } from '@/ui/dialog.tsx'
import { ErrorNote } from '@/ui/states.tsx'

/** Stops all email to an address or domain. Asks for confirmation, because a domain may have many leads. */
export function SuppressDialog({ reply, onClose }: { reply: Reply; onClose: () => void }) {
  const { api } = useWorkspace()
  const address = reply.from ?? ''
  const domain = address.split('@').at(-1) ?? ''
  const [kind, setKind] = useState<NewSuppression['kind']>('email')
  const value = kind === 'email' ? address : domain
  const suppress = useOperation({
    send: (body: NewSuppression, { idempotencyKey }) => api.suppressions.create(body, { idempotencyKey }),
    touches: [['suppressions'], ['replies'], ['campaigns'], ['campaign', reply.campaignId]],
    done: `${value} suppressed`,
    onDone: onClose,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title="Suppress sender"
      description="No campaign in this workspace emails it again. You can undo this under People and data."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" phase={suppress.phase} onClick={() => void suppress.run({ kind, value })} autoFocus>
            Suppress {kind === 'email' ? 'address' : 'domain'}
          </Button>
        </>
      }
    >
      <ErrorNote error={suppress.error} className="mb-3" />
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">What to suppress</legend>
        {(
          [
            ['email', address, 'Only this person'],
            ['domain', domain, 'Everyone at this domain'],
          ] as const
        ).map(([choice, shown, help]) => (
          <label
            key={choice}
            className="flex items-center gap-3 rounded-lg border border-line-strong px-3 py-2 has-checked:border-accent has-checked:bg-accent-wash/50"
          >
            <input type="radio" name="kind" checked={kind === choice} onChange={() => setKind(choice)} className="accent-accent" />
            <span className="min-w-0">
              <span className="block truncate font-medium">{shown}</span>
              <span className="block text-faint text-xs">{help}</span>
            </span>
          </label>
        ))}
      </fieldset>
    </Dialog>
  )
}
