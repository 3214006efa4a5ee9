import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { OperationPhase } from '@/data/use-operation.ts'
import { Button } from './button.tsx'
import { CodeBlock } from './copy.tsx'
import { type ApiCall, CopyAs } from './copy-as.tsx'
import { cx } from './cx.ts'
import { Form } from './field.tsx'
import { CloseIcon } from './icons.tsx'
import { ErrorNote } from './states.tsx'
import { useClosing } from './use-closing.ts'

export interface ClosingProps {
  open: boolean
  onClose: () => void
  /** The URL contains the open state, so the back button closes the dialog. */
  isInAddress?: boolean
  /** What would be lost by closing it, also when nothing was typed: who does so in passing is asked. */
  loses?: string
}

interface DialogProps extends ClosingProps {
  title: ReactNode
  description?: ReactNode
  /** The buttons, the one that does it last. */
  actions?: ReactNode
  size?: 'sm' | 'md' | 'lg'
  children?: ReactNode
}

interface SheetProps extends Omit<DialogProps, 'size'> {
  side?: 'left' | 'right'
  /** Without space around the content. */
  isFlush?: boolean
  className?: string
}

const WIDTHS = { sm: 'sm:max-w-sm', md: 'sm:max-w-lg', lg: 'sm:max-w-3xl' }
const backdrop = 'fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-starting-style:opacity-0 data-ending-style:opacity-0'

/** A question in the middle of the screen; on a phone it comes from below. */
export function Dialog({ title, description, actions, size = 'md', children, ...closed }: DialogProps) {
  const { open, onClose, loses } = closed
  const { onOpenChange, onInput, isAsking, stay } = useClosing(closed)
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={backdrop} />
        <Base.Viewport className="fixed inset-0 z-40 flex items-end justify-center overflow-y-auto sm:items-start sm:p-4 sm:pt-[12vh]">
          <Base.Popup
            onInput={onInput}
            className={cx(
              // On a desk it begins an eighth down the window, and its buttons must not lie below the lower edge.
              'flex max-h-[92dvh] w-full flex-col rounded-t-2xl bg-raised shadow-high outline-none sm:max-h-[calc(88dvh-1rem)] sm:rounded-xl',
              'transition duration-200 ease-calm data-starting-style:translate-y-4 data-starting-style:opacity-0 data-ending-style:translate-y-2 data-ending-style:opacity-0',
              WIDTHS[size],
            )}
          >
            <header className="flex items-start gap-4 px-5 pt-4 pb-3">
              <div className="min-w-0 flex-1">
                <Base.Title className="font-semibold text-lg">{title}</Base.Title>
                {description ? <Base.Description className="mt-0.5 text-soft">{description}</Base.Description> : null}
              </div>
              <Base.Close render={<Button variant="ghost" size="sm" icon={CloseIcon} label="Close" className="-mr-1.5" />} />
            </header>
            <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-5">{children}</div>
            <Foot actions={actions} question={isAsking ? (loses ?? TYPED) : null} onStay={stay} onClose={onClose} />
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

/** A panel from the side: for what belongs to the screen behind it, like one row of a list. */
export function Sheet({ title, description, actions, side = 'right', isFlush, className, children, ...closed }: SheetProps) {
  const { open, onClose, loses } = closed
  const { onOpenChange, onInput, isAsking, stay } = useClosing(closed)
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={backdrop} />
        <Base.Popup
          onInput={onInput}
          className={cx(
            'fixed inset-y-0 z-40 flex w-[min(32rem,calc(100vw-2.5rem))] flex-col bg-raised shadow-high outline-none transition-transform duration-250 ease-calm',
            side === 'right' ? 'right-0' : 'left-0',
            side === 'right'
              ? 'data-ending-style:translate-x-full data-starting-style:translate-x-full'
              : 'data-ending-style:-translate-x-full data-starting-style:-translate-x-full',
            className,
          )}
        >
          <header className="flex items-start gap-4 border-line border-b px-5 py-3.5">
            <div className="min-w-0 flex-1">
              <Base.Title className="truncate font-semibold text-base">{title}</Base.Title>
              {description ? <Base.Description className="text-soft">{description}</Base.Description> : null}
            </div>
            <Base.Close render={<Button variant="ghost" size="sm" icon={CloseIcon} label="Close" className="-mr-1.5" />} />
          </header>
          <div className={cx('min-h-0 flex-1 overflow-y-auto', !isFlush && 'px-5 py-4')}>{children}</div>
          <Foot actions={actions} question={isAsking ? (loses ?? TYPED) : null} onStay={stay} onClose={onClose} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

const TYPED = 'Your changes are not saved.'

interface FootProps {
  actions: ReactNode
  question: string | null
  onStay: () => void
  onClose: () => void
}

/** The buttons, or in their place the question whether to lose what is not saved. */
function Foot({ actions, question, onStay, onClose }: FootProps) {
  if (question === null && !actions) return null
  return (
    <footer className="flex flex-wrap items-center justify-end gap-2 border-line border-t px-5 py-3">
      {question === null ? actions : <Question words={question} onStay={onStay} onClose={onClose} />}
    </footer>
  )
}

function Question({ words, onStay, onClose }: Pick<FootProps, 'onStay' | 'onClose'> & { words: string }) {
  const stay = useRef<HTMLButtonElement>(null)
  useEffect(() => stay.current?.focus(), [])
  return (
    <>
      <p role="alert" className="mr-auto text-sm">
        {words}
      </p>
      <Button onClick={onClose}>Close without saving</Button>
      <Button variant="primary" ref={stay} onClick={onStay}>
        Keep editing
      </Button>
    </>
  )
}

interface ConfirmDialogProps {
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

/** Shows a secret once. It is in no cache and in no address, so it cannot be shown again after the dialog is closed. */
export function SecretDialog({ title, secret, about, onClose }: { title: string; secret: string; about: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      loses="This secret cannot be shown again."
      description="Shown only once. Copy it before you close this."
      actions={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <CodeBlock code={secret} isWrapped />
      <p className="mt-3 text-faint text-xs">{about}</p>
    </Dialog>
  )
}
