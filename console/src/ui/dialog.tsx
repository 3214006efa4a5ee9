import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import type { RunningOperation } from '@/data/use-operation.ts'
import { Button, type ButtonProps } from './button.tsx'
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
  /** The input that is lost when the dialog closes. The user is then asked first, even if nothing was typed. */
  loses?: string
}

interface DialogProps extends ClosingProps {
  title: ReactNode
  description?: ReactNode
  /** The buttons, the primary one last. */
  actions?: ReactNode
  size?: 'sm' | 'md' | 'lg'
  children?: ReactNode
}

interface SheetProps extends Omit<DialogProps, 'size'> {
  side?: 'left' | 'right'
  /** Without padding around the content. */
  isFlush?: boolean
  className?: string
}

const WIDTHS = { sm: 'sm:max-w-sm', md: 'sm:max-w-lg', lg: 'sm:max-w-3xl' }

/** A question in the middle of the screen. On a phone, it rises from the bottom. */
export function Dialog({ size = 'md', ...layer }: DialogProps) {
  return (
    <Layer
      {...layer}
      viewport="flex items-end justify-center overflow-y-auto sm:items-start sm:p-4 sm:pt-[12vh]"
      popup={cx(
        // On a desktop, it begins an eighth down the window, and its buttons must stay above the lower edge.
        'max-h-[92dvh] w-full rounded-t-2xl sm:max-h-[calc(88dvh-1rem)] sm:rounded-xl',
        'transition duration-200 data-starting-style:translate-y-4 data-starting-style:opacity-0 data-ending-style:translate-y-2 data-ending-style:opacity-0',
        WIDTHS[size],
      )}
      header="pt-4 pb-3"
      heading="text-lg"
      body="px-5 pb-5"
    />
  )
}

/** A panel from the side for details of the screen behind it, such as one row of a list. */
export function Sheet({ side = 'right', isFlush, className, ...layer }: SheetProps) {
  return (
    <Layer
      {...layer}
      viewport="overflow-hidden"
      popup={cx(
        'absolute inset-y-0 w-[min(32rem,calc(100vw-2.5rem))] transition-transform duration-250',
        side === 'right'
          ? 'right-0 data-ending-style:translate-x-full data-starting-style:translate-x-full'
          : 'left-0 data-ending-style:-translate-x-full data-starting-style:-translate-x-full',
        className,
      )}
      header="border-line border-b py-3.5"
      heading="truncate text-base"
      body={isFlush ? '' : 'px-5 py-4'}
    />
  )
}

type LayerProps = Omit<DialogProps, 'size'> & Record<'viewport' | 'popup' | 'header' | 'heading' | 'body', string>

function Layer({ title, description, actions, viewport, popup, header, heading, body, children, ...closing }: LayerProps) {
  const { open, onClose, loses } = closing
  const { onOpenChange, onInput, isAsking, stay } = useClosing(closing)
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className={cx('fixed inset-0 z-40', viewport)}>
          <Base.Popup onInput={onInput} className={cx('flex flex-col bg-raised shadow-high outline-none ease-calm', popup)}>
            <header className={cx('flex items-start gap-4 px-5', header)}>
              <div className="min-w-0 flex-1">
                <Base.Title className={cx('font-semibold', heading)}>{title}</Base.Title>
                {description ? <Base.Description className="mt-0.5 text-soft">{description}</Base.Description> : null}
              </div>
              <Base.Close render={<Button variant="ghost" size="sm" icon={CloseIcon} label="Close" className="-mr-1.5" />} />
            </header>
            <div className={cx('min-h-0 flex-1 overflow-y-auto', body)}>{children}</div>
            {isAsking || actions ? (
              <footer className="flex flex-wrap items-center justify-end gap-2 border-line border-t px-5 py-3">
                {isAsking ? <Question loses={loses} onStay={stay} onClose={onClose} /> : actions}
              </footer>
            ) : null}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

/** Replaces the buttons: whether to lose what is not saved. */
function Question({ loses, onStay, onClose }: { loses: string | undefined; onStay: () => void; onClose: () => void }) {
  const stay = useRef<HTMLButtonElement>(null)
  useEffect(() => stay.current?.focus(), [])
  return (
    <>
      <p role="alert" className="mr-auto text-sm">
        {loses ?? 'Your changes are not saved.'}
      </p>
      <Button onClick={onClose}>{loses ? 'Close anyway' : 'Close without saving'}</Button>
      <Button variant="primary" ref={stay} onClick={onStay}>
        {loses ? 'Keep open' : 'Keep editing'}
      </Button>
    </>
  )
}

type ConfirmDialogProps = Pick<FormDialogProps, 'verb' | 'operation' | 'onClose' | 'title' | 'children'> &
  Pick<ButtonProps, 'variant' | 'disabled' | 'autoFocus'> &
  ({ onConfirm: () => void } | { onConfirm?: undefined; operation: Pick<RunningOperation<null, unknown>, 'run' | 'phase' | 'error'> })

/** Explains the consequences of an action that cannot be undone. The operation needs no input, or `onConfirm` runs it. */
export function ConfirmDialog({ title, children, verb, onClose, variant = 'danger', ...action }: ConfirmDialogProps) {
  const { operation, onConfirm, ...button } = action
  const confirm = action.onConfirm ?? (() => void action.operation.run(null))
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      size="sm"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            {...button}
            variant={variant}
            phase={operation.phase}
            onClick={confirm}
            className={variant === 'danger' ? 'border-bad! bg-bad-wash!' : undefined}
          >
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
  /** The label of the button: a verb and its object. */
  verb: ReactNode
  operation: Pick<RunningOperation<never, unknown>, 'phase' | 'error'>
  isComplete: boolean
  onSubmit: () => void
  call?: ApiCall | null
  /** The error if a field shows it, so that it is not shown twice. */
  issue?: string | null | undefined
  className?: string
}

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

/** Shows a secret once. It is in no cache and in no URL, so it cannot be shown again after the dialog is closed. */
export function SecretDialog({ title, secret, about, onClose }: { title: string; secret: string; about: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      loses="This cannot be shown again."
      description="Shown only once. Copy it now."
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
