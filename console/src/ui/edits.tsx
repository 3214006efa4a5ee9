import { useState } from 'react'
import { Button } from './button.tsx'
import { AlertIcon } from './icons.tsx'
import { isSame } from './json.ts'

export interface Edits<T> {
  /** The saved values with the unsaved edits. */
  value: T
  /** The edited fields that differ from the saved values: the ones to send. */
  changed: Partial<T>
  isDirty: boolean
  /** Fields that another person saved since the user edited them. The user must choose one of the two values. */
  conflicts: readonly { name: keyof T & string; mine: unknown; theirs: unknown }[]
  /** Resolves all conflicts. */
  resolve: (side: 'mine' | 'theirs') => void
  /** Whether these saved values conflict with the edits. */
  isOutdated: (saved: T) => boolean
  set: (typed: Partial<T>) => void
  /** After a save: the fields that were sent, and the values that are saved now. Edits since then stay. */
  settle: (sent: Partial<T>, answered: T) => void
}

interface State<T> {
  typed: Partial<T>
  /** The saved values of these fields when the user began to edit them. */
  base: Partial<T>
}

const namesOf = <T extends object>(fields: Partial<T>) => Object.keys(fields) as (keyof T & string)[]

const pick = <T extends object>(fields: Partial<T>, isWanted: (name: keyof T) => boolean): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name as keyof T))) as Partial<T>

/**
 * The unsaved values of a form with independent fields. Unedited fields follow the saved values, even while other fields
 * are edited, so a save never reverts a change of another person. If both edited the same field, the user is asked.
 */
export function useEdits<T extends object>(saved: T): Edits<T> {
  const [{ typed, base }, setState] = useState<State<T>>({ typed: {}, base: {} })
  const changed = pick(typed, name => !isSame(typed[name], saved[name]))
  // A field that equals the saved value is no longer edited, so it follows the saved value again.
  if (namesOf(changed).length < namesOf(typed).length) setState({ typed: changed, base: pick(base, name => name in changed) })
  const value = { ...saved, ...changed }
  const outdated = (now: T) => namesOf(changed).filter(name => !isSame(base[name], now[name]) && !isSame(changed[name], now[name]))
  return {
    value,
    changed,
    isDirty: namesOf(changed).length > 0,
    conflicts: outdated(saved).map(name => ({ name, mine: changed[name], theirs: saved[name] })),
    resolve: side => {
      const names = new Set<keyof T>(outdated(saved))
      if (side === 'theirs') setState({ typed: pick(changed, name => !names.has(name)), base: pick(base, name => !names.has(name)) })
      else setState({ typed: changed, base: { ...base, ...pick(saved, name => names.has(name)) } })
    },
    isOutdated: now => outdated(now).length > 0,
    set: next => {
      const really = pick(next, name => !isSame(next[name], value[name]))
      setState(before => ({ typed: { ...before.typed, ...really }, base: { ...pick(saved, name => name in really), ...before.base } }))
    },
    settle: (sent, answered) =>
      setState(before => {
        const isSettled = (name: keyof T) => name in before.typed && name in sent && isSame(before.typed[name], sent[name])
        return {
          typed: { ...before.typed, ...pick(answered, isSettled) },
          base: { ...before.base, ...pick(answered, name => name in sent) },
        }
      }),
  }
}

interface FieldConflictsProps<T> {
  edits: Pick<Edits<T>, 'conflicts' | 'resolve'>
  labels: Record<keyof T, string>
  /** Formats a value that is not text. */
  word?: (value: unknown) => string
}

const asText = (value: unknown): string =>
  value === null || value === '' ? 'empty' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Two people have edited the same field. Nothing is saved until the user chooses one version. */
export function FieldConflicts<T>({ edits: { conflicts, resolve }, labels, word = asText }: FieldConflictsProps<T>) {
  if (conflicts.length === 0) return null
  return (
    <section aria-label="Conflicting changes" role="alert" className="rise rounded-lg border border-warn/40 bg-warn-wash p-3">
      <p className="flex items-center gap-2 font-medium text-warn">
        <AlertIcon className="shrink-0" /> A teammate saved other changes
      </p>
      <dl className="mt-2 flex flex-col gap-2">
        {conflicts.map(({ name, mine, theirs }) => (
          <div key={name}>
            <dt className="font-medium text-xs">{labels[name]}</dt>
            <dd className="grid gap-x-4 sm:grid-cols-2">
              <span className="min-w-0 whitespace-pre-line break-words">
                <span className="text-faint text-xs">Saved version: </span>
                <bdi>{word(theirs)}</bdi>
              </span>
              <span className="min-w-0 whitespace-pre-line break-words">
                <span className="text-faint text-xs">Your version: </span>
                <bdi>{word(mine)}</bdi>
              </span>
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => resolve('theirs')}>
          Use saved version
        </Button>
        <Button size="sm" onClick={() => resolve('mine')}>
          Keep my version
        </Button>
      </div>
    </section>
  )
}
