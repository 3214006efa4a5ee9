import type { ReactNode } from 'react'
import type { OperationPhase } from '@/data/use-operation.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorNote } from './states.tsx'

export interface ConfirmDialogProps {
  title: string
  /** What the button says that does it: a verb. */
  action: string
  /** The write that the button begins. */
  running: { phase: OperationPhase; error: Error | null }
  onConfirm: () => void
  onClose: () => void
  children?: ReactNode
}

/** Asks before something that cannot be undone, and follows it. */
export function ConfirmDialog({ title, action, running, onConfirm, onClose, children }: ConfirmDialogProps) {
  return (
    <Dialog
      open
      size="sm"
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" phase={running.phase} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-soft">
        <ErrorNote error={running.error} />
        {children}
      </div>
    </Dialog>
  )
}
