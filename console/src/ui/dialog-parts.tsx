import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import type { DialogProps, SheetProps } from './dialog-props.ts'
import { CloseIcon } from './icons.tsx'
import { useClosing } from './use-closing.ts'

const WIDTHS = { sm: 'sm:max-w-sm', md: 'sm:max-w-lg', lg: 'sm:max-w-3xl' }
const backdrop = 'fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-starting-style:opacity-0 data-ending-style:opacity-0'

/** A question in the middle of the screen; on a phone it comes from below. */
export function DialogParts({ title, description, actions, size = 'md', children, ...closed }: DialogProps) {
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
export function SheetParts({ title, description, actions, side = 'right', isFlush, className, children, ...closed }: SheetProps) {
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

const TYPED = 'What you have typed is not saved.'

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
      {question === null ? (
        actions
      ) : (
        <>
          <p role="alert" className="mr-auto text-sm">
            {question}
          </p>
          <Button onClick={onClose}>Close it all the same</Button>
          <Button variant="primary" autoFocus onClick={onStay}>
            Go on
          </Button>
        </>
      )}
    </footer>
  )
}
