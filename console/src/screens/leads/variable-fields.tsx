import { Button } from '@/ui/button.tsx'
import { Input } from '@/ui/field.tsx'
import { CloseIcon, PlusIcon } from '@/ui/icons.tsx'
import type { VariableRow } from './lead-contents.ts'

/** Your own fields of a lead, for templates: names and values. */
export function VariableFields({ rows, onChange }: { rows: readonly VariableRow[]; onChange: (rows: readonly VariableRow[]) => void }) {
  const set = (key: number, changed: Partial<VariableRow>) => onChange(rows.map(row => (row.key === key ? { ...row, ...changed } : row)))
  const add = () => onChange([...rows, { key: Math.max(0, ...rows.map(({ key }) => key)) + 1, name: '', value: '' }])
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">Variables</legend>
      {rows.map(({ key, name, value }) => (
        <div key={key} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] gap-1.5">
          <Input
            aria-label="Name of the variable"
            className="font-mono"
            value={name}
            placeholder="city"
            pattern="[A-Za-z][A-Za-z0-9_]{0,62}"
            title="A letter, then letters, digits and underscores"
            onChange={event => set(key, { name: event.target.value })}
          />
          <Input
            aria-label={name ? `Value of ${name}` : 'Value'}
            value={value}
            placeholder="Rome"
            onChange={event => set(key, { value: event.target.value })}
          />
          <Button
            variant="ghost"
            icon={CloseIcon}
            label={name ? `Remove ${name}` : 'Remove the variable'}
            onClick={() => onChange(rows.filter(row => row.key !== key))}
          />
        </div>
      ))}
      <div>
        <Button size="sm" variant="ghost" icon={PlusIcon} onClick={add}>
          Add a variable
        </Button>
      </div>
    </fieldset>
  )
}
