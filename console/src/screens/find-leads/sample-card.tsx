import { Card } from '@/ui/card.tsx'
import { cx } from '@/ui/cx.ts'
import type { Audience } from './data.ts'
import type { FilterField } from './filter-document.ts'
import { countryName, valueWords } from './filter-words.ts'

export interface SampleCardProps {
  audience: Audience | undefined
  isStale: boolean
  fields: readonly FilterField[]
}

/** A few of those who would be delivered: whether the filters mean the right people is seen sooner in them than in numbers. */
export function SampleCard({ audience, isStale, fields }: SampleCardProps) {
  const people = audience?.sample ?? []
  if (people.length === 0) return null
  const words = (field: string, value: string | null): string | null => {
    const known = fields.find(({ name }) => name === field)
    return value && known ? valueWords(known, value) : value
  }
  return (
    <Card id="sample" title="A few of them" description="Names, companies and addresses come with the order." isFlush>
      <ul aria-label="Sample people" aria-busy={isStale} className={cx('divide-y divide-line transition-opacity', isStale && 'opacity-60')}>
        {people.map(({ jobTitle, seniority, industry, companySize, country, city }, index) => {
          const company = [words('industries', industry), companySize && `${companySize.replace('-', ' – ')} employees`].filter(Boolean)
          const place = [city, country && countryName(country)].filter(Boolean)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: nothing tells them apart, and they come all at once
            <li key={index} className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-2.5">
              <span className="font-medium first-letter:uppercase">{jobTitle ?? words('seniorities', seniority) ?? 'Title unknown'}</span>
              <span className="text-faint text-xs">{[...company, place.join(', ')].filter(Boolean).join(' · ')}</span>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
