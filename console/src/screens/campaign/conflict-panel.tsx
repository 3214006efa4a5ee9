import { Fragment, useState } from 'react'
import { Button } from '@/ui/button.tsx'
import { cx } from '@/ui/cx.ts'
import { AlertIcon } from '@/ui/icons.tsx'
import { isSame } from '@/ui/json.ts'
import type { Conflict } from './draft.ts'

export interface ConflictField<T> {
  key: keyof T & string
  label: string
  /** The value in words. */
  word: (value: T) => string
}

export interface ConflictPanelProps<T> {
  conflict: Conflict<T>
  fields: readonly ConflictField<T>[]
  onResolve: (value: T) => void
}

/** Two have changed the same thing. Both versions stand side by side, and one is chosen for each field. */
export function ConflictPanel<T extends object>({ conflict: { base, mine, theirs }, fields, onResolve }: ConflictPanelProps<T>) {
  const differing = fields.filter(({ key }) => !isSame(mine[key], theirs[key]))
  const [chosen, setChosen] = useState<Record<string, 'mine' | 'theirs'>>({})
  // By default, a field that the user did not edit takes the saved value.
  const choiceOf = (key: keyof T & string) => chosen[key] ?? (isSame(mine[key], base[key]) ? 'theirs' : 'mine')
  const pick = (side: 'mine' | 'theirs') => onResolve(merge(mine, theirs, fields, () => side))
  return (
    <section aria-label="Conflicting changes" role="alert" className="rise scroll-mt-16 rounded-xl border border-warn/40 bg-warn-wash p-4">
      <h2 className="flex items-center gap-2 font-semibold text-base text-warn">
        <AlertIcon /> A teammate saved other changes
      </h2>
      <p className="mt-0.5 text-soft">Your changes are still here. Choose which version to keep for each field.</p>
      <div className="mt-3 flex flex-col gap-3">
        {differing.map(({ key, label, word }) => (
          <fieldset key={key}>
            <legend className="mb-1 font-medium text-xs">{label}</legend>
            <div className="grid gap-2 sm:grid-cols-2">
              {(['mine', 'theirs'] as const).map(side => (
                <label
                  key={side}
                  className={cx(
                    'flex items-start gap-2.5 rounded-lg border bg-panel px-3 py-2',
                    choiceOf(key) === side ? 'border-accent ring-1 ring-accent' : 'border-line-strong',
                  )}
                >
                  <input
                    type="radio"
                    name={`conflict-${key}`}
                    checked={choiceOf(key) === side}
                    onChange={() => setChosen(before => ({ ...before, [key]: side }))}
                    className="mt-1 accent-accent"
                  />
                  <span className="min-w-0">
                    <span className="block text-faint text-xs">{side === 'mine' ? 'Your version' : 'Saved version'}</span>
                    <span className="block whitespace-pre-line break-words">
                      <Marked text={word(side === 'mine' ? mine : theirs)} other={word(side === 'mine' ? theirs : mine)} />
                    </span>
                  </span>
                </label>
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="primary" onClick={() => onResolve(merge(mine, theirs, fields, choiceOf))}>
          Use selected values
        </Button>
        <Button onClick={() => pick('theirs')}>Discard my changes</Button>
        <Button onClick={() => pick('mine')}>Keep all my changes</Button>
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

function merge<T extends object>(
  mine: T,
  theirs: T,
  fields: readonly ConflictField<T>[],
  choiceOf: (key: keyof T & string) => 'mine' | 'theirs',
): T {
  const merged = { ...theirs }
  for (const { key } of fields) if (choiceOf(key) === 'mine') merged[key] = mine[key]
  return merged
}
