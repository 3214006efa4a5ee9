import { useId, useState } from 'react'
import { Button } from '@/ui/button.tsx'
import { Combobox } from '@/ui/combobox.tsx'
import { Input } from '@/ui/field.tsx'
import { Form } from '@/ui/form.tsx'
import { Select } from '@/ui/select.tsx'
import type { Chip, FilterField, Side } from './filter-document.ts'
import { valueWords } from './filter-words.ts'

export interface ChipEditorProps {
  field: FilterField
  /** Null for a new value. */
  chip: Chip | null
  onSubmit: (changed: Pick<Chip, 'side' | 'value'>) => void
}

const SIDES = [
  { value: 'include', label: 'Wanted' },
  { value: 'exclude', label: 'Not wanted' },
] as const

/** Places and titles are typed as words; the service reads them and says what it understood. */
function useEdited({ field, chip }: Pick<ChipEditorProps, 'field' | 'chip'>) {
  const range = (field.form === 'ranges' ? (chip?.value ?? {}) : {}) as { min?: number; max?: number; currency?: string }
  const [text, setText] = useState(
    chip === null || field.form === 'ranges' ? '' : typeof chip.value === 'object' ? valueWords(field, chip.value) : String(chip.value),
  )
  const [min, setMin] = useState(range.min === undefined ? '' : String(range.min))
  const [max, setMax] = useState(range.max === undefined ? '' : String(range.max))
  const [currency, setCurrency] = useState(range.currency ?? field.default ?? 'USD')
  const read = (): unknown => {
    if (field.form === 'ranges') {
      if (!min && !max) return undefined
      return { ...(min ? { min: Number(min) } : {}), ...(max ? { max: Number(max) } : {}), ...(field.type === 'money' ? { currency } : {}) }
    }
    if (text.trim() === '') return undefined
    if (field.form === 'number') return Number(text)
    // Untouched, a place stays what it was; its words would have to be read again.
    if (chip && typeof chip.value === 'object' && text === valueWords(field, chip.value)) return chip.value
    return text.trim()
  }
  return { text, setText, min, setMin, max, setMax, currency, setCurrency, read }
}

export function ChipEditor({ field, chip, onSubmit }: ChipEditorProps) {
  const edited = useEdited({ field, chip })
  const [side, setSide] = useState<Side>(chip?.side ?? 'include')
  const id = useId()
  const value = edited.read()
  const submit = () => {
    if (value !== undefined) onSubmit({ side: field.form === 'includeExclude' ? side : null, value })
  }
  const options = field.type !== 'money' && field.type !== 'place' ? field.values : null
  const number = { type: 'number', min: field.minimum ?? undefined, max: field.maximum ?? undefined } as const
  return (
    <Form onSubmit={submit} className="flex flex-col gap-2.5">
      {field.form === 'ranges' ? (
        <div className="flex items-center gap-2">
          <Input
            {...number}
            aria-label="From"
            placeholder="from"
            value={edited.min}
            onChange={event => edited.setMin(event.target.value)}
            autoFocus
          />
          <Input {...number} aria-label="To" placeholder="to" value={edited.max} onChange={event => edited.setMax(event.target.value)} />
          {field.type === 'money' ? (
            <Select
              label="Currency"
              className="min-w-20!"
              options={field.values ?? []}
              value={edited.currency}
              onChange={edited.setCurrency}
            />
          ) : null}
        </div>
      ) : options ? (
        <Combobox
          label="Value"
          placeholder="Type to find"
          options={options.map(({ value: known, label, parent }) => ({ value: known, label: parent ? `${label}` : label }))}
          value={edited.text || null}
          onChange={chosen => edited.setText(chosen ?? '')}
          autoFocus
          {...(field.isOpen ? { empty: 'Not in our list. Type it below.' } : {})}
        />
      ) : (
        <Input
          {...(field.form === 'number' ? number : { maxLength: field.maxLength ?? undefined })}
          id={id}
          aria-label="Value"
          placeholder={field.type === 'place' ? 'A city, region, country or area' : ''}
          value={edited.text}
          onChange={event => edited.setText(event.target.value)}
          autoFocus
        />
      )}
      {options && field.isOpen ? (
        <Input
          aria-label="Another value"
          placeholder="or another"
          value={edited.text}
          onChange={event => edited.setText(event.target.value)}
        />
      ) : null}
      <div className="flex items-center justify-between gap-2">
        {field.form === 'includeExclude' ? (
          <Select label="Wanted or not" className="min-w-32!" options={SIDES} value={side} onChange={setSide} />
        ) : (
          <span />
        )}
        <Button type="submit" variant="primary" disabled={value === undefined}>
          {chip ? 'Change' : 'Add'}
        </Button>
      </div>
    </Form>
  )
}
