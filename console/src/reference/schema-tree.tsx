import { useId, useState } from 'react'
import { cx } from '@/ui/cx.ts'
import { ChevronRightIcon } from '@/ui/icons.tsx'
import { resolve, type Schema, type Schemas } from './document.ts'
import { Inline } from './prose.tsx'

const MOST_VALUES = 12

/** The fields of a schema. Nested fields open on a click, at any depth. */
export function SchemaTree({ schema, schemas, label }: { schema: Schema; schemas: Schemas; label: string }) {
  const { fields, variants } = insideOf(schema, schemas)
  if (variants.length > 0) return <Variants variants={variants} schemas={schemas} label={label} />
  if (fields.length === 0) {
    return (
      <div className="py-2">
        <Facts schema={schema} schemas={schemas} />
      </div>
    )
  }
  return (
    <ul className="divide-y divide-line">
      {fields.map(({ name, schema: inner, isRequired }) => (
        <Field key={name} name={name} schema={inner} schemas={schemas} isRequired={isRequired} />
      ))}
    </ul>
  )
}

function Variants({ variants, schemas, label }: { variants: Inside['variants']; schemas: Schemas; label: string }) {
  const [index, setIndex] = useState(0)
  const id = useId()
  const variant = variants[index] ?? variants[0]!
  return (
    <div className="pt-2">
      <label htmlFor={id} className="mr-2 text-faint text-xs">
        One of {variants.length} types
      </label>
      <select
        id={id}
        aria-label={`Type of ${label}`}
        value={index}
        onChange={event => setIndex(Number(event.target.value))}
        className="field-box h-8 max-w-full px-2 font-mono text-xs"
      >
        {variants.map(({ name }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two variants may have the same name
          <option key={at} value={at}>
            {name}
          </option>
        ))}
      </select>
      <SchemaTree key={index} schema={variant.schema} schemas={schemas} label={`${label}, ${variant.name}`} />
    </div>
  )
}

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

/** The description and the limits of a value. */
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

/** A schema in words. The type is like `string`, `uuid`, `array of Lead` or `Lead or null`. */
type Described = { type: string; limits: string[]; values: unknown[]; about: string | null }

export function describe(schema: Schema, schemas: Schemas): Described {
  const { isNullable, inner } = withoutNull(schema, schemas)
  const { schema: given } = resolve(inner, schemas)
  const values = (given.enum ?? (given.const === undefined ? [] : [given.const])).filter(value => value !== null)
  return {
    type: typeOf(inner, schemas) + (isNullable ? ' or null' : ''),
    limits: limitsOf(given),
    values,
    about: schema.description ?? given.description ?? null,
  }
}

/** Whether a schema allows null, and the schema without null. */
function withoutNull(schema: Schema, schemas: Schemas): { isNullable: boolean; inner: Schema } {
  const { schema: given } = resolve(schema, schemas)
  if (Array.isArray(given.type) && given.type.includes('null')) {
    const types = given.type.filter(type => type !== 'null')
    return { isNullable: true, inner: { ...given, type: types.length === 1 ? types[0]! : types } }
  }
  const options = given.anyOf?.filter(option => option.type !== 'null') ?? []
  if (!given.anyOf || options.length === given.anyOf.length) return { isNullable: false, inner: schema }
  const { anyOf: _, ...beside } = given
  return { isNullable: true, inner: options.length === 1 ? { ...options[0]!, ...beside } : { ...beside, anyOf: options } }
}

function typeOf(schema: Schema, schemas: Schemas): string {
  const { schema: given, name } = resolve(schema, schemas)
  if (given.items) return `array of ${typeOf(withoutNull(given.items, schemas).inner, schemas)}`
  if (name) return name
  if (given.oneOf || given.anyOf) return `one of ${(given.oneOf ?? given.anyOf)!.length} types`
  if (given.format) return given.format
  if (given.const !== undefined && given.type === undefined) return typeof given.const
  if (given.enum && given.type === undefined) return 'enum'
  return [given.type ?? (given.properties ? 'object' : 'any')].flat().join(' or ')
}

function limitsOf(given: Schema): string[] {
  const limits: string[] = []
  const range = (least: number | undefined, most: number | undefined, unit: string): void => {
    if (least !== undefined && most !== undefined) limits.push(least === most ? `exactly ${least}${unit}` : `${least} to ${most}${unit}`)
    else if (least !== undefined) limits.push(`at least ${least}${unit}`)
    else if (most !== undefined) limits.push(`at most ${most}${unit}`)
  }
  range(given.minimum, given.maximum, '')
  range(given.minLength, given.maxLength, ' characters')
  range(given.minItems, given.maxItems, ' items')
  range(given.minProperties, given.maxProperties, ' fields')
  if (given.uniqueItems) limits.push('unique items')
  if (given.pattern) limits.push(given.pattern === '\\S' ? 'not blank' : `matches ${given.pattern}`)
  return limits
}

/** The fields of an object, or of the items of a list. */
interface Inside {
  fields: { name: string; schema: Schema; isRequired: boolean }[]
  /** The types of which one applies, each with its name. */
  variants: { name: string; schema: Schema }[]
}

export function insideOf(schema: Schema, schemas: Schemas): Inside {
  const { schema: given } = resolve(withoutNull(schema, schemas).inner, schemas)
  if (given.items) return insideOf(given.items, schemas)
  const options = given.oneOf ?? given.anyOf ?? []
  if (options.length > 1) return { fields: [], variants: variantsOf(given, options, schemas) }
  if (options.length === 1) return insideOf(options[0]!, schemas)
  const fields = Object.entries(given.properties ?? {}).map(([name, inner]) => ({
    name,
    schema: inner,
    isRequired: given.required?.includes(name) ?? false,
  }))
  const others = [given.additionalProperties, ...Object.values(given.patternProperties ?? {})]
  const other = others.find((inner): inner is Schema => typeof inner === 'object' && Object.keys(inner).length > 0)
  if (other) fields.push({ name: 'any other field', schema: other, isRequired: false })
  return { fields, variants: [] }
}

function variantsOf({ discriminator }: Schema, options: Schema[], schemas: Schemas): Inside['variants'] {
  const mapping = Object.entries(discriminator?.mapping ?? {})
  return options.map((option, index) => {
    const { schema, name } = resolve(option, schemas)
    const constant = Object.values(schema.properties ?? {}).find(inner => inner.const !== undefined)?.const
    const own = name ?? schema.title ?? (constant === undefined ? describe(option, schemas).type : String(constant))
    // A type that belongs to several values has its own name.
    const values = mapping.filter(([, ref]) => ref === option.$ref).map(([value]) => value)
    return { name: values.length === 1 ? values[0]! : own === 'object' ? `type ${index + 1}` : own, schema: option }
  })
}
