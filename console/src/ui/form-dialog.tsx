import { type ReactNode, useId } from 'react'
import type { OperationPhase } from '@/data/use-operation.ts'
import { Button } from './button.tsx'
import { type ApiCall, CopyAs } from './copy-as.tsx'
import { Dialog } from './dialog.tsx'
import type { DialogProps } from './dialog-props.ts'
import { Form } from './form.tsx'
import { ErrorNote } from './states.tsx'

interface FormDialogProps extends Omit<DialogProps, 'open' | 'actions'> {
  /** What the button says: the verb of what is done. */
  verb: ReactNode
  operation: { phase: OperationPhase; error: Error | null }
  isComplete: boolean
  onSubmit: () => void
  /** The same request, for a program. */
  call?: ApiCall | null
  /** What a field says of the error, so that it is not said twice. */
  issue?: string | null | undefined
  className?: string
}

/** Asks for something and sends it. */
export function FormDialog({ verb, operation, isComplete, onSubmit, call, issue, className, children, ...dialog }: FormDialogProps) {
  const form = useId()
  return (
    <Dialog
      open
      {...dialog}
      actions={
        <>
          {call ? (
            <span className="mr-auto">
              <CopyAs call={call} />
            </span>
          ) : null}
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form} phase={operation.phase} disabled={!isComplete}>
            {verb}
          </Button>
        </>
      }
    >
      <Form id={form} className={className ?? 'flex flex-col gap-4'} onSubmit={onSubmit}>
        {issue ? null : <ErrorNote error={operation.error} />}
        {children}
      </Form>
    </Dialog>
  )
}
