import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <Dialog
      open
      onClose={onStay}
      size="sm"
      title="Leave without saving?"
      description="What you have changed here is not saved, and is lost when you leave."
      actions={
        <>
          <Button onClick={onStay}>Stay here</Button>
          <Button variant="danger" onClick={onLeave}>
            Leave
          </Button>
        </>
      }
    />
  )
}
