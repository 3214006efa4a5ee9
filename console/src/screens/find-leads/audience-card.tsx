import { Card } from '@/ui/card.tsx'
import { cx } from '@/ui/cx.ts'
import { formatCount, formatNoun, formatPercent } from '@/ui/format.ts'
import { CloseIcon } from '@/ui/icons.tsx'
import { NumberLink } from '@/ui/quick-link.tsx'
import { Skeleton, SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import type { Audience, FacetName } from './data.ts'
import { chipsOf, countryName, type FilterField, type Filters, sizeWords, valueWords, withAdded, withOnly } from './filter-document.ts'

const FACETS: readonly { name: FacetName; title: string; field: string }[] = [
  { name: 'seniority', title: 'Seniority', field: 'seniorities' },
  { name: 'industry', title: 'Industry', field: 'industries' },
  { name: 'country', title: 'Country', field: 'locations' },
  { name: 'size', title: 'Company size', field: 'employees' },
]
const SHOWN = 5

interface AudienceCardProps {
  audience: Audience | undefined
  /** The counts are those of the previous filters. */
  isStale: boolean
  error: unknown
  filters: Filters
  fields: readonly FilterField[]
  onChange: (filters: Filters) => void
}

/** The number of matches and their distribution. A click on a row narrows the search. */
export function AudienceCard({ audience, isStale, error, filters, fields, onChange }: AudienceCardProps) {
  return (
    <Card>
      <div aria-busy={isStale} className={cx('transition-opacity', isStale && 'opacity-60')}>
        {audience ? (
          <p className="sr-only" role="status">
            {formatNoun(audience.matchCount, 'match', 'matches')}
          </p>
        ) : null}
        <div className="flex items-end gap-2">
          {audience ? (
            <NumberLink
              link={{ to: '/find-leads', search: true as never, hash: 'sample' }}
              title="View a sample"
              className="font-semibold text-2xl tabular tracking-tight"
            >
              <span data-count>{formatCount(audience.matchCount)}</span>
            </NumberLink>
          ) : error ? (
            <span className="font-semibold text-2xl text-faint">–</span>
          ) : (
            <Skeleton className="h-8! w-24" />
          )}
          <span className="pb-0.5 text-soft">{audience?.matchCount === 1 ? 'match' : 'matches'}</span>
        </div>
        {audience ? (
          <p className="mt-1 text-faint text-xs">
            {formatCount(audience.verifiedCount)} with a verified email. {formatCount(audience.attachableCount)} can be added to a campaign.
          </p>
        ) : null}
        <ErrorNote error={error} className="mt-3" />
        {audience?.warnings.map(warning => (
          <p key={warning} className="mt-2 rounded-lg bg-warn-wash px-3 py-2 text-warn text-xs">
            {warning}
          </p>
        ))}
        {audience ? (
          <div className="mt-4 grid gap-4 sm:grid-cols-2 lg:grid-cols-1">
            {FACETS.map(facet => (
              <Facet key={facet.name} {...facet} audience={audience} filters={filters} fields={fields} onChange={onChange} />
            ))}
          </div>
        ) : error ? null : (
          <div className="mt-4">
            <SkeletonLines count={6} />
          </div>
        )}
      </div>
    </Card>
  )
}

interface FacetProps extends Pick<AudienceCardProps, 'filters' | 'fields' | 'onChange'> {
  name: FacetName
  title: string
  field: string
  audience: Audience
}

const rangeOf = (bucket: string): { min?: number; max?: number } => {
  const [min, max] = bucket.replace('+', '').split('-').map(Number)
  return { ...(min ? { min } : {}), ...(max ? { max } : {}) }
}

function Facet({ name, title, field: fieldName, audience, filters, fields, onChange }: FacetProps) {
  const rows = audience.facets[name]
  const field = fields.find(one => one.name === fieldName)
  if (rows.length === 0 || !field) return null
  const isUsed = chipsOf(filters, fields).some(chip => chip.field === fieldName && chip.side !== 'exclude')
  // If a city or a range is already set, a click on its country or bucket would widen the search.
  const mayNarrow = !isUsed || name === 'seniority' || name === 'industry'
  return (
    <section aria-label={title}>
      <h3 className="mb-1 font-medium text-faint text-xs">{title}</h3>
      <ul>
        {rows.slice(0, SHOWN).map(({ value, count }) => {
          const words = name === 'country' ? countryName(value) : name === 'size' ? sizeWords(value) : valueWords(field, value)
          const asFilter = name === 'country' ? { country: value } : name === 'size' ? rangeOf(value) : value
          const share = audience.matchCount > 0 ? count / audience.matchCount : 0
          return (
            <li key={value} className="group relative flex items-center gap-1">
              <button
                type="button"
                disabled={!mayNarrow}
                title={mayNarrow ? `Only ${words}` : undefined}
                onClick={() => onChange(withOnly(filters, fields, field, asFilter))}
                className="relative flex h-7 min-w-0 flex-1 items-center justify-between gap-3 overflow-hidden rounded-md px-2 text-left not-disabled:hover:bg-hover"
              >
                <span
                  aria-hidden="true"
                  className="absolute inset-y-0.5 left-0 rounded bg-accent-wash"
                  style={{ width: `${share * 100}%` }}
                />
                <span className="relative truncate">{words}</span>
                <span className="relative shrink-0 text-faint text-xs tabular">
                  {formatCount(count)} · {formatPercent(share)}
                </span>
              </button>
              {field.form === 'includeExclude' ? (
                <button
                  type="button"
                  aria-label={`Exclude ${words}`}
                  title={`Exclude ${words}`}
                  onClick={() => onChange(withAdded(filters, fields, field, 'exclude', asFilter))}
                  className="grid size-6 place-items-center rounded text-faint opacity-45 hover:text-bad focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
                >
                  <CloseIcon width={12} height={12} />
                </button>
              ) : (
                // Keeps the numbers of all facets in one column.
                <span className="size-6" />
              )}
            </li>
          )
        })}
      </ul>
      {rows.length > SHOWN ? <p className="px-2 text-faint text-xs">and {rows.length - SHOWN} more</p> : null}
    </section>
  )
}
