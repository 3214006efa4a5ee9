import type { Reply } from '@overture/sdk'
import type { OperationPhase } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { Dialog } from '@/ui/dialog.tsx'

/** The one correction that cannot simply be corrected again: the suppression stays. */
export function OptOutDialog({
  reply,
  phase,
  onConfirm,
  onClose,
}: {
  reply: Reply
  phase: OperationPhase
  onConfirm: () => void
  onClose: () => void
}) {
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title="Mark as opted out?"
      description={`Overture suppresses ${reply.from ?? 'the address'} and unsubscribes the lead. Changing the category later does not undo this.`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" phase={phase} onClick={onConfirm} autoFocus>
            Mark as opted out
          </Button>
        </>
      }
    />
  )
}
