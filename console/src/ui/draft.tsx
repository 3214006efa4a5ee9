import { OvertureError } from '@overture/sdk'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { Fragment, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { type OperationPhase, type OperationPlan, type RunningOperation, useOperation } from '@/data/use-operation.ts'
import { Button } from './button.tsx'
import { Card } from './card.tsx'
import { cx } from './cx.ts'
import { Form } from './field.tsx'
import { AlertIcon } from './icons.tsx'
import { isSame } from './json.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { RadioCard } from './radio-card.tsx'
import { ErrorNote } from './states.tsx'

export interface Conflict<T> {
  /** The value with which both began. */
  base: T
  mine: T
  /** The value that is saved now. */
  theirs: T
}

export interface Draft<T> {
  value: T
  /** Only the fields that were edited. */
  changed: Partial<T>
  set: (changed: Partial<T>) => void
  isDirty: boolean
  /** The version of the saved values below the edits, for `if-match`. */
  version: string
  /** Another person saved a different value after this draft was started. */
  conflict: Conflict<T> | null
  /** Whether these saved values would be a conflict. */
  isAgainst: (saved: T) => boolean
  /** Ends the conflict. The draft continues from what is saved now, with these values. */
  resolve: (value: T) => void
  /** These edits were saved. What arrives as saved next is no conflict, even if the service has trimmed it. */
  settle: (sent: Partial<T>) => void
  reset: () => void
}

function pick<T extends object>(value: T, isWanted: (name: keyof T) => boolean): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => isWanted(name as keyof T))) as Partial<T>
}

/**
 * The unsaved values of a form. Until the user edits them, they follow the saved values. After that the input stays, and a
 * different value of another person is reported, so that neither is lost silently. With `merges`, only the same field is a
 * conflict: for forms that send nothing but the edited fields.
 */
export function useDraft<T extends object>(saved: T, savedVersion = '', { merges = false } = {}): Draft<T> {
  const [{ base, version, value, sent }, setState] = useState({
    base: saved,
    version: savedVersion,
    value: saved,
    sent: null as Partial<T> | null,
  })
  const changed = pick(value, name => !isSame(value[name], base[name]))
  const isDirty = Object.keys(changed).length > 0
  const differing = (now: T) => Object.keys(pick(now, name => !isSame(now[name], base[name]) && !isSame(now[name], value[name])))
  const isAgainst = (now: T) => isDirty && differing(now).some(name => !merges || name in changed)
  const isMoved = !isSame(saved, base) || version !== savedVersion
  const isOwn = isMoved && sent !== null
  const isConflict = !isOwn && isAgainst(saved)
  if (!isConflict && isMoved) {
    const typedSince = pick(value, name => name in changed && !isSame(value[name], sent?.[name]))
    setState({ base: saved, version: savedVersion, value: { ...saved, ...(isOwn ? typedSince : changed) }, sent: null })
  }
  const set = useCallback((edited: Partial<T>) => setState(before => ({ ...before, value: { ...before.value, ...edited } })), [])
  const resolve = (chosen: T) => setState({ base: saved, version: savedVersion, value: chosen, sent: null })
  return {
    ...{ value, changed, set, isDirty, version, isAgainst, resolve },
    conflict: isConflict ? { base, mine: value, theirs: saved } : null,
    settle: edits => setState(before => (isSame({ ...before.base, ...edits }, before.base) ? before : { ...before, sent: edits })),
    reset: () => resolve(saved),
  }
}

interface SavePlan<T, Result> extends Pick<OperationPlan<T, Result>, 'send' | 'done' | 'touches' | 'repeats'> {
  /** The query of the saved values: loaded immediately for comparison if another person saved first. */
  reads: QueryKey
}

/** For a resource without a version: thrown if reading it again shows that another person saved first. */
export const changedMeanwhile = () => new OvertureError('Changed meanwhile.', { code: 'precondition_failed' })

/** Saves a draft: `run(draft.value)`. */
export function useDraftSave<T extends object, Result>(draft: Draft<T>, { reads, ...plan }: SavePlan<T, Result>) {
  const queries = useQueryClient()
  const sent = useRef<Partial<T>>({})
  const save = useOperation<T, Result>({
    ...plan,
    send: (value, options) => {
      sent.current = draft.changed
      return plan.send(value, options)
    },
    onDone: () => draft.settle(sent.current),
  })
  const isOutdated = save.error instanceof OvertureError && save.error.code === 'precondition_failed'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => {
    if (isOutdated) void queries.invalidateQueries({ queryKey: reads })
  }, [isOutdated, queries])
  return save
}

export interface ConflictField<T> {
  key: keyof T & string
  label: string
  /** The value in words, if it is not text. */
  format?: (value: T) => string
}

/** The fields of a form whose values are texts and numbers. */
export const fieldsOf = <Key extends string>(labels: Record<Key, string>): ConflictField<Record<Key, unknown>>[] =>
  Object.entries<string>(labels).map(([key, label]) => ({ key: key as Key, label }))

const asText = (value: unknown): string =>
  value === null || value === '' ? 'empty' : typeof value === 'object' ? JSON.stringify(value) : String(value)

interface ConflictPanelProps<T> {
  conflict: Conflict<T>
  fields: readonly ConflictField<T>[]
  onResolve: (value: T) => void
}

/** Two people changed the same values. Both versions are shown side by side, and the user chooses one for each field. */
export function ConflictPanel<T extends object>({ conflict: { base, mine, theirs }, fields, onResolve }: ConflictPanelProps<T>) {
  const [chosen, setChosen] = useState<Record<string, 'mine' | 'theirs'>>({})
  // By default, a field that the user did not edit takes the saved value.
  const choiceOf = (key: keyof T & string) => chosen[key] ?? (isSame(mine[key], base[key]) ? 'theirs' : 'mine')
  const merge = (sideOf: typeof choiceOf): T => {
    const merged = { ...theirs }
    for (const { key } of fields) if (sideOf(key) === 'mine') merged[key] = mine[key]
    return merged
  }
  return (
    <section aria-label="Conflicting changes" role="alert" className="rise scroll-mt-16 rounded-xl border border-warn/40 bg-warn-wash p-4">
      <h2 className="flex items-center gap-2 font-semibold text-base text-warn">
        <AlertIcon className="shrink-0" /> A teammate saved other changes
      </h2>
      <p className="mt-0.5 text-soft">Your changes are still here. Choose which version to keep for each field.</p>
      <div className="mt-3 flex flex-col gap-3">
        {fields
          .filter(({ key }) => !isSame(mine[key], theirs[key]))
          .map(({ key, label, format = value => asText(value[key]) }) => (
            <fieldset key={key}>
              <legend className="mb-1 font-medium text-xs">{label}</legend>
              <div className="grid gap-2 sm:grid-cols-2">
                {(['mine', 'theirs'] as const).map(side => (
                  <RadioCard
                    key={side}
                    name={`conflict-${key}`}
                    checked={choiceOf(key) === side}
                    onChange={() => setChosen(before => ({ ...before, [key]: side }))}
                  >
                    <span className="block text-faint text-xs">{side === 'mine' ? 'Your version' : 'Saved version'}</span>
                    <bdi className="block whitespace-pre-line break-words">
                      <Marked text={format(side === 'mine' ? mine : theirs)} other={format(side === 'mine' ? theirs : mine)} />
                    </bdi>
                  </RadioCard>
                ))}
              </div>
            </fieldset>
          ))}
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => onResolve(merge(choiceOf))}>
          Use selected values
        </Button>
        <Button onClick={() => onResolve(merge(() => 'theirs'))}>Discard my changes</Button>
        <Button onClick={() => onResolve(merge(() => 'mine'))}>Keep all my changes</Button>
      </div>
    </section>
  )
}

/** The lines that the other version does not have stand out. */
function Marked({ text, other }: { text: string; other: string }) {
  const known = new Set(other.split('\n'))
  return text.split('\n').map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text have nothing else that tells them apart
    <Fragment key={index}>
      {index > 0 ? '\n' : null}
      {known.has(line) ? line : <mark className="rounded-sm box-decoration-clone bg-accent-wash px-0.5 text-accent-ink">{line}</mark>}
    </Fragment>
  ))
}

interface SaveBarProps {
  isDirty: boolean
  /** Something has to be decided or corrected first. */
  isBlocked: boolean
  problem?: string | null
  phase: OperationPhase
  /** What is not saved yet. */
  unsaved?: string | null
  /** Null: there is nothing to discard. */
  onReset: (() => void) | null
  note?: ReactNode
  /** At the foot of a card, where a screen has several forms. */
  isInCard?: boolean
  children: ReactNode
}

/** Leads to the panel or field to fix, which may be far above the field that the user is typing in. */
function goToError(form: HTMLFormElement | null): void {
  const place = form?.querySelector<HTMLElement>('[role=alert], [aria-invalid=true]') ?? form
  if (!place) return
  const first = place.matches('input, textarea') ? place : place.querySelector<HTMLElement>('input, textarea, button')
  first?.focus({ preventScroll: true })
  place.scrollIntoView()
}

/** Stays at the foot of the screen or card as long as something is not saved. */
export function SaveBar({ isDirty, isBlocked, problem, phase, unsaved, onReset, note, isInCard, children }: SaveBarProps) {
  const isBusy = phase === 'sending' || phase === 'queued' || phase === 'running'
  const isShown = isDirty || isBusy || phase === 'done'
  const place = useRef<HTMLSpanElement>(null)
  // The bar disappears with the button that was pressed. The focus stays here, so that the Tab key continues from the form.
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
          {phase === 'done' && !isDirty ? 'Saved.' : isBlocked ? (problem ?? 'Fix errors to save.') : (unsaved ?? 'Unsaved changes.')}{' '}
          {isBlocked ? null : note}
        </p>
        {isBlocked ? (
          <Button variant="ghost" onClick={event => goToError(event.currentTarget.form)}>
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

interface DraftProblemProps<T extends object> {
  draft: Draft<T>
  fields: readonly ConflictField<T>[]
  save: Pick<RunningOperation<never, unknown>, 'error' | 'reset'>
  /** A field shows the error, so it is not shown twice. */
  hidesError?: boolean
  className?: string
}

/** Why the draft cannot be saved: the conflict to settle, or the error of the last attempt. */
export function DraftProblem<T extends object>({ draft, fields, save, hidesError = false, className }: DraftProblemProps<T>) {
  const resolve = (value: T) => {
    draft.resolve(value)
    save.reset()
  }
  if (!draft.conflict && (!save.error || hidesError)) return null
  return (
    <div className={className}>
      {draft.conflict ? <ConflictPanel conflict={draft.conflict} fields={fields} onResolve={resolve} /> : <ErrorNote error={save.error} />}
    </div>
  )
}

interface DraftCardProps<T extends object> extends DraftProblemProps<T> {
  title: string
  description?: string
  actions?: ReactNode
  save: Pick<RunningOperation<T, unknown>, 'run' | 'phase' | 'error' | 'reset'>
  mayWrite: boolean
  /** Something has to be corrected first. */
  isWrong?: boolean
  verb: string
  children: ReactNode
}

/** A form in a card that is saved on its own. */
export function DraftCard<T extends object>({ mayWrite, isWrong, verb, className, children, ...props }: DraftCardProps<T>) {
  const { draft, fields, save, hidesError = false, title, ...card } = props
  return (
    <Form onSubmit={() => save.run(draft.value)}>
      <Card isFlush title={title} {...card}>
        <DraftProblem draft={draft} fields={fields} save={save} hidesError={hidesError} className="p-4 pb-0" />
        <fieldset disabled={!mayWrite} className={cx('min-w-0', className)}>
          <legend className="sr-only">{title}</legend>
          {children}
        </fieldset>
        {mayWrite ? (
          <SaveBar
            isInCard
            isDirty={draft.isDirty}
            isBlocked={draft.conflict !== null || isWrong === true}
            phase={save.phase}
            onReset={draft.isDirty ? draft.reset : null}
          >
            {verb}
          </SaveBar>
        ) : null}
      </Card>
    </Form>
  )
}
