import { useId, useState } from 'react'
import { cx } from '../ui/cx.ts'
import { ChevronRightIcon } from '../ui/icons.tsx'
import type { Schema, Schemas } from './document.ts'
import { Inline } from './prose.tsx'
import { describe, insideOf } from './schema-words.ts'

const MOST_VALUES = 12

/** The fields of a schema. Those with something inside open when they are asked to, as deep as it goes. */
export function SchemaTree({ schema, schemas, label }: { schema: Schema; schemas: Schemas; label: string }) {
  const { fields, variants } = insideOf(schema, schemas)
  if (variants.length > 0) return <Variants variants={variants} schemas={schemas} label={label} />
  if (fields.length === 0) return <Leaf schema={schema} schemas={schemas} />
  return (
    <ul className="divide-y divide-line">
      {fields.map(({ name, schema: inner, isRequired }) => (
        <Field key={name} name={name} schema={inner} schemas={schemas} isRequired={isRequired} />
      ))}
    </ul>
  )
}

interface VariantsProps {
  variants: { name: string; schema: Schema }[]
  schemas: Schemas
  label: string
}

function Variants({ variants, schemas, label }: VariantsProps) {
  const [index, setIndex] = useState(0)
  const id = useId()
  const variant = variants[index] ?? variants[0]!
  return (
    <div className="pt-2">
      <label htmlFor={id} className="mr-2 text-faint text-xs">
        One of {variants.length} shapes
      </label>
      <select
        id={id}
        aria-label={`Shape of ${label}`}
        value={index}
        onChange={event => setIndex(Number(event.target.value))}
        className="field-box h-8 max-w-full px-2 font-mono text-xs"
      >
        {variants.map(({ name }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two shapes may have one name
          <option key={at} value={at}>
            {name}
          </option>
        ))}
      </select>
      <SchemaTree key={index} schema={variant.schema} schemas={schemas} label={`${label}, ${variant.name}`} />
    </div>
  )
}

const Leaf = ({ schema, schemas }: { schema: Schema; schemas: Schemas }) => (
  <div className="py-2">
    <Facts schema={schema} schemas={schemas} />
  </div>
)

export function Field({ name, schema, schemas, isRequired }: { name: string; schema: Schema; schemas: Schemas; isRequired: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const { fields, variants } = insideOf(schema, schemas)
  const isDeep = fields.length > 0 || variants.length > 0
  const { type } = describe(schema, schemas)
  const id = useId()
  const head = (
    <>
      <span className="font-medium font-mono text-ink text-xs">{name}</span>
      <span className="text-faint text-xs">{type}</span>
      {isRequired ? <span className="text-2xs text-warn">required</span> : null}
    </>
  )
  return (
    <li className="py-2.5">
      {isDeep ? (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="-ml-5 flex max-w-full flex-wrap items-baseline gap-x-2 rounded text-left hover:bg-hover"
        >
          <ChevronRightIcon
            className={cx('mr-[-4px] size-4 shrink-0 self-center text-faint transition-transform', isOpen && 'rotate-90')}
          />
          {head}
        </button>
      ) : (
        <div className="flex flex-wrap items-baseline gap-x-2">{head}</div>
      )}
      <Facts schema={schema} schemas={schemas} isUntyped />
      {isDeep && isOpen ? (
        <div id={id} className="mt-2 border-line border-l-2 pl-6">
          <SchemaTree schema={schema} schemas={schemas} label={name} />
        </div>
      ) : null}
    </li>
  )
}

/** What is to be said about a value, besides its name and, if so wished, its type. */
function Facts({ schema, schemas, isUntyped }: { schema: Schema; schemas: Schemas; isUntyped?: boolean }) {
  const { type, limits, values, about } = describe(schema, schemas)
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? values : values.slice(0, MOST_VALUES)
  return (
    <>
      {isUntyped ? null : <p className="text-faint text-xs">{type}</p>}
      {about ? (
        <p className="mt-0.5 text-soft text-sm">
          <Inline text={about} />
        </p>
      ) : null}
      {limits.length > 0 || schema.default !== undefined ? (
        <p className="mt-0.5 break-words text-faint text-xs">
          {limits.join(' · ')}
          {schema.default === undefined ? null : (
            <>
              {limits.length > 0 ? ' · ' : ''}default <code className="font-mono text-ink">{JSON.stringify(schema.default)}</code>
            </>
          )}
        </p>
      ) : null}
      {values.length > 0 ? (
        <p className="mt-1 flex flex-wrap gap-1">
          {shown.map(value => (
            <code key={String(value)} className="rounded bg-sunken px-1.5 py-px font-mono text-soft text-2xs">
              {String(value)}
            </code>
          ))}
          {shown.length < values.length ? (
            <button type="button" onClick={() => setWhole(true)} className="rounded px-1 text-2xs text-accent-ink underline">
              {values.length - shown.length} more
            </button>
          ) : null}
        </p>
      ) : null}
    </>
  )
}
