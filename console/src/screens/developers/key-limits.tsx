import type { Token, TokenLimits } from '@overture/sdk'
import { cx } from '@/ui/cx.ts'
import { formatCount } from '@/ui/format.ts'
import { NumberLink } from '@/ui/number-link.tsx'
import { OptionalNumber } from '@/ui/optional-number.tsx'
import { Switch } from '@/ui/toggles.tsx'

const MOST = 1_000_000_000

/** What a key may ask for in a day, each with what it begins with. */
const KINDS = [
  { limit: 'leadsPerDay', spent: 'leads', start: 200, label: 'Limit leads', help: 'Imported into campaigns, or bought.' },
  { limit: 'creditsPerDay', spent: 'credits', start: 50, label: 'Limit credits', help: 'Spent on leads.' },
  { limit: 'mailsPerDay', spent: 'mails', start: 100, label: 'Limit e-mails', help: 'The most that can follow from what it starts.' },
] as const

/** In the body of a request; null where nothing is limited. */
export const asLimits = (limits: TokenLimits): TokenLimits | null => (Object.keys(limits).length === 0 ? null : limits)

export function LimitFields({ limits, onChange }: { limits: TokenLimits; onChange: (limits: TokenLimits) => void }) {
  const set = (name: keyof TokenLimits, value: number | true | null) => {
    const { [name]: _, ...rest } = limits
    onChange(value === null ? rest : { ...rest, [name]: value })
  }
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-medium text-sm">Budget</legend>
      {KINDS.map(({ limit, label, help, start }) => (
        <OptionalNumber
          key={limit}
          label={label}
          help={help}
          unit="a day"
          least={0}
          most={MOST}
          start={start}
          value={limits[limit] ?? null}
          onChange={value => set(limit, value)}
        />
      ))}
      <Switch
        label="Sandbox only"
        help="Nothing leaves from a real mailbox."
        checked={limits.sandboxOnly === true}
        onChange={isOn => set('sandboxOnly', isOn ? true : null)}
      />
      <p className="text-faint text-xs">
        A budget cannot be changed later. What goes beyond it is refused, or waits as a plan for somebody to approve.
      </p>
    </fieldset>
  )
}

/** What is left of the budget of a key today. */
export function Budget({ token: { id, limits, spentToday } }: { token: Token }) {
  if (limits === null) return <span className="text-faint">none</span>
  return (
    <ul className="flex flex-col text-xs" title="Of today, in UTC">
      {KINDS.map(({ limit, spent }) => {
        const most = limits[limit]
        if (most === undefined) return null
        const used = spentToday?.[spent] ?? 0
        return (
          <li key={limit} className={cx('whitespace-nowrap tabular-nums', used >= most ? 'text-warn' : 'text-soft')}>
            <NumberLink link={{ to: '/developers/audit', search: { actorId: id } as never }} title="See what this key has done">
              {formatCount(used)} of {formatCount(most)} {spent === 'mails' ? 'e-mails' : spent}
            </NumberLink>
          </li>
        )
      })}
      {limits.sandboxOnly ? <li className="text-soft">sandbox only</li> : null}
    </ul>
  )
}
