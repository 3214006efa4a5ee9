import type { ReactNode } from 'react'
import type { OperationPhase } from '@/data/use-operation.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorNote } from './states.tsx'

export interface ConfirmDialogProps {
  title: string
<<<<<<< HEAD
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
=======
  children: ReactNode
  /** What the button says: the verb of what is done. */
  verb: string
  phase: OperationPhase
  error: unknown
  onConfirm: () => void
  onClose: () => void
}

/** For what cannot be taken back: says what follows from it. */
export function ConfirmDialog({ title, children, verb, phase, error, onConfirm, onClose }: ConfirmDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      size="sm"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" phase={phase} onClick={onConfirm}>
            {verb}
>>>>>>> s4
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-soft">
<<<<<<< HEAD
        <ErrorNote error={running.error} />
        {children}
=======
        {children}
        <ErrorNote error={error} />
>>>>>>> s4
      </div>
    </Dialog>
  )
}
