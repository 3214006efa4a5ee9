import { Button } from './button.tsx'
import { AlertIcon } from './icons.tsx'
import type { Edits } from './use-edits.ts'

export interface FieldConflictsProps<T> {
  edits: Pick<Edits<T>, 'conflicts' | 'resolve'>
  labels: Record<keyof T, string>
  /** A value that is not text, in words. */
  word?: (value: unknown) => string
}

const asText = (value: unknown): string =>
  value === null || value === '' ? 'empty' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Two people have typed in the same field. Nothing is saved before one of the two is chosen. */
export function FieldConflicts<T>({ edits: { conflicts, resolve }, labels, word = asText }: FieldConflictsProps<T>) {
  if (conflicts.length === 0) return null
  return (
    <section aria-label="Changed by somebody else" role="alert" className="rise rounded-lg border border-warn/40 bg-warn-wash p-3">
      <p className="flex items-center gap-2 font-medium text-warn">
        <AlertIcon className="shrink-0" /> Somebody else has saved this meanwhile
      </p>
      <dl className="mt-2 flex flex-col gap-2">
        {conflicts.map(({ name, mine, theirs }) => (
          <div key={name}>
            <dt className="font-medium text-xs">{labels[name]}</dt>
            <dd className="grid gap-x-4 sm:grid-cols-2">
              <span className="min-w-0 whitespace-pre-line break-words">
                <span className="text-faint text-xs">Saved meanwhile: </span>
                <bdi>{word(theirs)}</bdi>
              </span>
              <span className="min-w-0 whitespace-pre-line break-words">
                <span className="text-faint text-xs">Yours: </span>
                <bdi>{word(mine)}</bdi>
              </span>
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => resolve('theirs')}>
          Take what was saved
        </Button>
        <Button size="sm" onClick={() => resolve('mine')}>
          Keep mine
        </Button>
      </div>
    </section>
  )
}
