import type { ReactNode } from 'react'
import type { OperationPhase } from '@/data/use-operation.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorNote } from './states.tsx'

export interface ConfirmDialogProps {
  title: string
  children: ReactNode
  /** What the button says: the verb of what is done. */
  verb: string
  operation: { phase: OperationPhase; error: Error | null }
  onConfirm: () => void
  onClose: () => void
}

/** For what cannot be taken back: says what follows from it. */
export function ConfirmDialog({ title, children, verb, operation, onConfirm, onClose }: ConfirmDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      size="sm"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" phase={operation.phase} onClick={onConfirm} className="border-bad! bg-bad-wash!">
            {verb}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-soft">
        {children}
        <ErrorNote error={operation.error} />
      </div>
    </Dialog>
  )
}
