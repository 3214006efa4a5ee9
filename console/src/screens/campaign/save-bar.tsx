import { type ReactNode, useEffect, useRef } from 'react'
import type { OperationPhase } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { cx } from '@/ui/cx.ts'
import { LeaveGuard } from '@/ui/leave-guard.tsx'

export interface SaveBarProps {
  isDirty: boolean
  /** Something has to be decided or corrected first. */
  isBlocked: boolean
  phase: OperationPhase
  /** Null: there is nothing to take back. */
  onReset: (() => void) | null
  note?: ReactNode
  /** At the foot of a card, where a screen has several forms. */
  isInCard?: boolean
  children: ReactNode
}

/** The panel or the field that has to be settled may be far above what one is writing. */
function show(form: HTMLFormElement | null): void {
  const place = form?.querySelector<HTMLElement>('[role=alert], [aria-invalid=true]') ?? form
  if (!place) return
  const first = place.matches('input, textarea') ? place : place.querySelector<HTMLElement>('input, textarea, button')
  first?.focus({ preventScroll: true })
  place.scrollIntoView()
}

/** Stands at the foot of the screen as long as something is not saved. */
export function SaveBar({ isDirty, isBlocked, phase, onReset, note, isInCard, children }: SaveBarProps) {
  const isBusy = phase === 'sending' || phase === 'queued' || phase === 'running'
  const isShown = isDirty || isBusy || phase === 'done'
  const place = useRef<HTMLSpanElement>(null)
  // The bar goes with the button that was pressed: the focus stays here, so that the Tab key goes on from the form.
  useEffect(() => {
    if (!isShown) return
    return () => {
      if (document.activeElement === document.body) place.current?.focus({ preventScroll: true })
    }
  }, [isShown])
  const end = <span ref={place} tabIndex={-1} className="sr-only" />
  if (!isShown) return end
  return (
    <>
      {end}
      <div
        className={cx(
          'rise flex flex-wrap items-center gap-2',
          isInCard ? 'border-line border-t px-4 py-2.5' : 'sticky bottom-3 z-10 rounded-xl bg-raised p-2.5 pl-4 shadow-high',
        )}
      >
        <p className="min-w-0 grow basis-48 text-soft text-xs sm:flex-1">
          {phase === 'done' && !isDirty ? 'Saved.' : isBlocked ? 'Fix errors to save.' : 'Unsaved changes.'} {isBlocked ? null : note}
        </p>
        {isBlocked ? (
          <Button variant="ghost" onClick={event => show(event.currentTarget.form)}>
            Go to error
          </Button>
        ) : null}
        {onReset ? (
          <Button variant="ghost" onClick={onReset} disabled={isBusy}>
            Discard
          </Button>
        ) : null}
        <Button variant="primary" type="submit" phase={phase} disabled={isBlocked || !isDirty}>
          {children}
        </Button>
        <LeaveGuard loses={onReset !== null && !isBusy && phase !== 'done'} />
      </div>
    </>
  )
}
