import type { CsvTrial } from '@overture/sdk'
import { useState } from 'react'
import { cx } from '@/ui/cx.ts'
import { Input } from '@/ui/field.tsx'
import { ArrowRightIcon } from '@/ui/icons.tsx'
import { Select } from '@/ui/select.tsx'

const FIELDS = [
  { value: 'email', label: 'Email address' },
  { value: 'firstName', label: 'First name' },
  { value: 'lastName', label: 'Last name' },
  { value: 'fullName', label: 'Full name' },
  { value: 'company', label: 'Company' },
  { value: 'jobTitle', label: 'Job title' },
  { value: 'timezone', label: 'Time zone' },
]
const isField = (target: string): boolean => FIELDS.some(({ value }) => value === target)
const VARIABLE = 'variable'
const NOTHING = 'nothing'

/** A name that a variable may have, made of what a column is called. */
export const variableName = (header: string): string =>
  header
    .normalize('NFKD')
    .replace(/[^\w\s-]|_/g, '')
    .trim()
    .replace(/[\s-]+(\w)/g, (_, letter: string) => letter.toUpperCase())
    .replace(/^[^A-Za-z]+/, '')
    .replace(/^./, letter => letter.toLowerCase())
    .slice(0, 63) || 'column'

export interface ColumnMappingProps {
  trial: CsvTrial
  onChange: (header: string, target: string | null) => void
  isBusy: boolean
}

/** Every column of the file with its first values, and what becomes of it. */
export function ColumnMapping({ trial, onChange, isBusy }: ColumnMappingProps) {
  return (
    <ul aria-busy={isBusy} className={cx('divide-y divide-line transition-opacity', isBusy && 'opacity-60')}>
      {trial.columns.map(({ header, target }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a file stay in their places, and may have the same name
        <li key={index} className="grid items-center gap-x-4 gap-y-2 px-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_auto_minmax(0,22rem)]">
          <div className="min-w-0">
            <p className="truncate font-medium">{header || `Column ${index + 1}`}</p>
            <p className="truncate text-faint text-xs">
              {trial.firstRows
                .slice(0, 4)
                .map(row => row[index])
                .filter(Boolean)
                .join(' · ') || 'empty in the first rows'}
            </p>
          </div>
          <ArrowRightIcon className="hidden text-faint sm:block" />
          <div className="flex gap-2">
            <Select
              label={`Import ${header} as`}
              className={cx('w-full flex-1', target === null && 'text-faint')}
              options={[...FIELDS, { value: VARIABLE, label: 'Variable' }, { value: NOTHING, label: 'Skip column' }]}
              value={target === null ? NOTHING : isField(target) ? target : VARIABLE}
              onChange={chosen => onChange(header, chosen === NOTHING ? null : chosen === VARIABLE ? variableName(header) : chosen)}
            />
            {target !== null && !isField(target) ? (
              <VariableName key={target} header={header} name={target} onChange={name => onChange(header, name)} />
            ) : null}
          </div>
        </li>
      ))}
    </ul>
  )
}

/** Sent when the field is left: every change is tried on the whole file. */
function VariableName({ header, name, onChange }: { header: string; name: string; onChange: (name: string) => void }) {
  const [typed, setTyped] = useState(name)
  const isGood = /^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(typed) && !isField(typed)
  return (
    <Input
      aria-label={`Variable name for ${header}`}
      aria-invalid={!isGood}
      title="Start with a letter. Use letters, digits and underscores."
      className="flex-1 font-mono"
      value={typed}
      onChange={event => setTyped(event.target.value)}
      onBlur={() => (isGood ? typed !== name && onChange(typed) : setTyped(name))}
      onKeyDown={event => event.key === 'Enter' && event.currentTarget.blur()}
    />
  )
}
