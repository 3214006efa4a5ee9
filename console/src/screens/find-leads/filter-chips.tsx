import { useState } from 'react'
import { Button, optionsOf } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { Combobox } from '@/ui/combobox.tsx'
import { cx } from '@/ui/cx.ts'
import { Form, Input } from '@/ui/field.tsx'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { CloseIcon, FilterIcon, PlusIcon } from '@/ui/icons.tsx'
import { Menu } from '@/ui/menu.tsx'
import { Popover } from '@/ui/popover.tsx'
import { Select } from '@/ui/select.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { afterPaint } from '@/ui/timing.ts'
import { useAudience } from './data.ts'
import {
  type Chip,
  chipKey,
  chipsOf,
  type Explanation,
  type FilterField,
  type Filters,
  fieldHelp,
  fieldName,
  quoteOf,
  type Side,
  valueWords,
  withAdded,
  withChanged,
  withoutChip,
} from './filter-document.ts'

interface FilterChipsProps {
  filters: Filters
  fields: readonly FilterField[]
  explanations: readonly Explanation[]
  matchCount: number | undefined
  onChange: (filters: Filters) => void
}

/** The filters as chips. Each shows the words of the brief it came from, and the count without it. */
export function FilterChips({ filters, fields, explanations, matchCount, onChange }: FilterChipsProps) {
  const [adding, setAdding] = useState<FilterField | null>(null)
  const chips = chipsOf(filters, fields)
  const used = fields.filter(field => chips.some(chip => chip.field === field.name) || adding === field)
  const add = (
    <Menu
      trigger={
        <Button size="sm" icon={PlusIcon}>
          Add filter
        </Button>
      }
      entries={fields.map(field => ({ label: fieldName(field.name), onSelect: () => setAdding(field) }))}
    />
  )
  return (
    <Card
      title="Filters"
      description={chips.length > 0 ? 'A lead must match all filters. Click a filter to edit it.' : undefined}
      actions={
        <>
          {chips.length > 0 ? (
            <Button size="sm" variant="ghost" onClick={() => onChange({})}>
              Clear filters
            </Button>
          ) : null}
          {add}
        </>
      }
    >
      {used.length === 0 ? (
        <EmptyState icon={FilterIcon} title="No filters yet" className="py-8!">
          Describe your ideal lead or add a filter.
        </EmptyState>
      ) : (
        <dl className="flex flex-col gap-4">
          {used.map(field => (
            <div key={field.name} className="grid gap-x-4 gap-y-1.5 sm:grid-cols-[9rem_1fr]">
              <dt className="pt-1 text-faint" title={fieldHelp(field)}>
                {fieldName(field.name)}
              </dt>
              <dd className="flex flex-wrap gap-2">
                {chips
                  .filter(chip => chip.field === field.name)
                  .map(chip => (
                    <OneChip
                      key={chipKey(chip)}
                      chip={chip}
                      field={field}
                      quote={quoteOf(chip, explanations)}
                      isFromBrief={explanations.length > 0}
                      matchCount={matchCount}
                      without={withoutChip(filters, fields, chip)}
                      onChange={changed => onChange(withChanged(filters, fields, chip, changed))}
                      onRemove={() => onChange(withoutChip(filters, fields, chip))}
                    />
                  ))}
                <AddValue
                  field={field}
                  isOpen={adding === field}
                  onOpenChange={isOpen => setAdding(isOpen ? field : null)}
                  onAdd={({ side, value }) => {
                    setAdding(null)
                    onChange(withAdded(filters, fields, field, side ?? 'include', value))
                  }}
                />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  )
}

interface OneChipProps {
  chip: Chip
  field: FilterField
  quote: string | null
  isFromBrief: boolean
  matchCount: number | undefined
  without: Filters
  onChange: (changed: Pick<Chip, 'side' | 'value'>) => void
  onRemove: () => void
}

function OneChip({ chip, field, quote, isFromBrief, matchCount, without, onChange, onRemove }: OneChipProps) {
  const [isOpen, setOpen] = useState(false)
  const words = valueWords(field, chip.value)
  const isNot = chip.side === 'exclude'
  return (
    <span
      className={cx(
        'flex max-w-full items-stretch overflow-hidden rounded-lg',
        isNot ? 'bg-bad-wash text-bad' : 'bg-accent-wash text-accent-ink',
      )}
    >
      <Popover
        open={isOpen}
        onOpenChange={setOpen}
        title={fieldName(field.name)}
        trigger={
          <button type="button" className="min-w-0 px-2.5 py-1 text-left hover:bg-hover/60">
            <span className="block truncate font-medium">
              {isNot ? 'not ' : ''}
              {words}
            </span>
            {quote ? (
              <span className="block truncate text-xs opacity-85">from “{quote}”</span>
            ) : isFromBrief ? (
              <span className="block text-xs opacity-85">set manually</span>
            ) : null}
          </button>
        }
      >
        <ChipEditor
          field={field}
          chip={chip}
          onSubmit={changed =>
            // The pressed button is shown first, then the form closes, then everything that depends on the filter changes.
            afterPaint(() => {
              setOpen(false)
              afterPaint(() => onChange(changed))
            })
          }
        />
        <CountWithout filters={without} matchCount={matchCount} />
      </Popover>
      <button
        type="button"
        aria-label={`Remove ${isNot ? 'not ' : ''}${words}`}
        onClick={onRemove}
        className="grid w-7 place-items-center hover:bg-hover/60"
      >
        <CloseIcon width={13} height={13} />
      </button>
    </span>
  )
}

/** The effect of the filter on the count. Requested only when the user opens it. */
function CountWithout({ filters, matchCount }: { filters: Filters; matchCount: number | undefined }) {
  const { data, isPlaceholderData } = useAudience(filters)
  const known = data && !isPlaceholderData ? data.matchCount : undefined
  const more = known === undefined || matchCount === undefined ? undefined : known - matchCount
  return (
    <p className="mt-3 border-line border-t pt-2 text-faint text-xs" aria-live="polite">
      {known === undefined
        ? 'Counting without this filter…'
        : `Without this filter: ${formatNoun(known, 'match', 'matches')}${more ? ` (${more > 0 ? '+' : '−'}${formatCount(Math.abs(more))})` : ', no change'}.`}
    </p>
  )
}

interface AddValueProps {
  field: FilterField
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  onAdd: (added: Pick<Chip, 'side' | 'value'>) => void
}

function AddValue({ field, isOpen, onOpenChange, onAdd }: AddValueProps) {
  const name = fieldName(field.name)
  return (
    <Popover
      open={isOpen}
      onOpenChange={onOpenChange}
      title={`Add to ${name}`}
      trigger={<Button size="sm" variant="ghost" icon={PlusIcon} label={`Add to ${name}`} className="self-center" />}
    >
      <ChipEditor field={field} chip={null} onSubmit={onAdd} />
      <p className="mt-3 text-faint text-xs">{fieldHelp(field)}</p>
    </Popover>
  )
}

interface ChipEditorProps {
  field: FilterField
  /** Null for a new value. */
  chip: Chip | null
  onSubmit: (changed: Pick<Chip, 'side' | 'value'>) => void
}

const SIDES = optionsOf({ include: 'Include', exclude: 'Exclude' })

type Range = { min?: number; max?: number; currency?: string }

/** The initial input of the editor of a chip. */
function startOf(field: FilterField, value: unknown) {
  const { min, max, currency }: Range = field.form === 'ranges' ? (value ?? {}) : {}
  const text = value === undefined || field.form === 'ranges' ? '' : typeof value === 'object' ? valueWords(field, value) : String(value)
  return { text, min: String(min ?? ''), max: String(max ?? ''), currency: currency ?? field.default ?? 'USD' }
}

/** The edited value. Places and titles are typed as words. The service reads them and says what it understood. */
function readValue(field: FilterField, before: unknown, { text, min, max, currency }: ReturnType<typeof startOf>): unknown {
  if (field.form === 'ranges') {
    if (!min && !max) return undefined
    return { ...(min ? { min: Number(min) } : {}), ...(max ? { max: Number(max) } : {}), ...(field.type === 'money' ? { currency } : {}) }
  }
  if (text.trim() === '') return undefined
  if (field.form === 'number') return Number(text)
  // A place that was not edited stays as it is, because its words would have to be read again.
  return typeof before === 'object' && text === valueWords(field, before) ? before : text.trim()
}

function ChipEditor({ field, chip, onSubmit }: ChipEditorProps) {
  const [edited, setEdited] = useState(() => startOf(field, chip?.value))
  const set = (changed: Partial<typeof edited>) => setEdited(before => ({ ...before, ...changed }))
  const [side, setSide] = useState<Side>(chip?.side ?? 'include')
  const value = readValue(field, chip?.value, edited)
  const submit = () => {
    if (value !== undefined) onSubmit({ side: field.form === 'includeExclude' ? side : null, value })
  }
  const options = field.type !== 'money' && field.type !== 'place' ? field.values : null
  const number = { type: 'number', min: field.minimum ?? undefined, max: field.maximum ?? undefined } as const
  return (
    <Form onSubmit={submit} className="flex flex-col gap-2.5">
      {field.form === 'ranges' ? (
        <div className="flex items-center gap-2">
          {(['min', 'max'] as const).map(end => (
            <Input
              key={end}
              {...number}
              aria-label={end === 'min' ? 'From' : 'To'}
              placeholder={end === 'min' ? 'from' : 'to'}
              value={edited[end]}
              onValueChange={typed => set({ [end]: typed })}
              autoFocus={end === 'min'}
            />
          ))}
          {field.type === 'money' ? (
            <Select
              label="Currency"
              className="min-w-20!"
              options={field.values ?? []}
              value={edited.currency}
              onChange={currency => set({ currency })}
            />
          ) : null}
        </div>
      ) : options ? (
        <Combobox
          label="Value"
          placeholder="Type to search"
          options={options.map(({ value: known, label }) => ({ value: known, label }))}
          value={edited.text || null}
          onChange={chosen => set({ text: chosen ?? '' })}
          autoFocus
          {...(field.isOpen ? { empty: 'Not in the list. Type it below.' } : {})}
        />
      ) : (
        <Input
          {...(field.form === 'number' ? number : { maxLength: field.maxLength ?? undefined })}
          aria-label="Value"
          placeholder={field.type === 'place' ? 'A city, region, country or area' : ''}
          value={edited.text}
          onValueChange={typed => set({ text: typed })}
          autoFocus
        />
      )}
      {options && field.isOpen ? (
        <Input
          aria-label="Another value"
          placeholder="or enter another value"
          value={edited.text}
          onValueChange={typed => set({ text: typed })}
        />
      ) : null}
      <div className="flex items-center justify-between gap-2">
        {field.form === 'includeExclude' ? (
          <Select label="Include or exclude" className="min-w-32!" options={SIDES} value={side} onChange={setSide} />
        ) : (
          <span />
        )}
        <Button type="submit" variant="primary" disabled={value === undefined}>
          {chip ? 'Edit filter' : 'Add filter'}
        </Button>
      </div>
    </Form>
  )
}
