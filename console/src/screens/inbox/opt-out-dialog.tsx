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
      title="They want no more mail?"
      description={`${reply.from ?? 'The address'} is suppressed and the lead unsubscribed. Another correction later does not lift that.`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" phase={phase} onClick={onConfirm} autoFocus>
            Opted out
          </Button>
        </>
      }
    />
  )
}
