import { Link, type LinkProps } from '@tanstack/react-router'
import { useWorkspace } from '@/data/session.ts'
import type { Totals } from '@/data/use-answer.ts'
import { Card } from '@/ui/card.tsx'
import { Chart } from '@/ui/chart.tsx'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { Loaded } from '@/ui/loaded.tsx'
import { useResults } from './data.ts'

/** The results of the last 30 days. Each number links to what it counts. */
export function ResultsCard() {
  return (
    <Card title="Last 30 days" isFlush>
      <Loaded query={useResults()} lines={10} className="p-4">
        {results => (
          <>
            <Numbers totals={results.totals} />
            <div className="overflow-hidden px-3 pb-3">
              <Chart {...results} height={220} label={inWords(results.totals)} />
            </div>
          </>
        )}
      </Loaded>
    </Card>
  )
}

function Numbers({ totals: { sent, opened, clicked, replied, positive, bounced, unsubscribed } }: { totals: Totals }) {
  const { may } = useWorkspace()
  const events = (type: string) => (may('events:read') ? ({ to: '/developers/events', search: { type } } as Target) : null)
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden border-line border-b bg-line sm:grid-cols-3 xl:grid-cols-6">
      <Figure name="Sent" value={sent} color="accent" detail="emails" link={events('email.sent')} />
      <Figure
        name="Opens"
        value={opened}
        color="info"
        detail={clicked > 0 ? formatNoun(clicked, 'click') : 'tracked campaigns only'}
        link={events('email.opened')}
      />
      <Figure
        name="Replies"
        value={replied}
        color="good"
        detail="excluding auto-replies"
        link={{ to: '/inbox', search: { view: 'all' } }}
      />
      <Figure name="Positive replies" value={positive} link={{ to: '/inbox', search: { view: 'all', kind: 'positive' } }} />
      <Figure name="Bounces" value={bounced} link={events('email.bounced')} />
      <Figure name="Unsubscribes" value={unsubscribed} link={events('lead.unsubscribed')} />
    </dl>
  )
}

type Target = Pick<LinkProps, 'to' | 'search'>

interface FigureProps {
  name: string
  value: number
  /** Of its line in the chart, for which the figures are the legend. */
  color?: string
  detail?: string
  link: Target | null
}

function Figure({ name, value, color, detail, link }: FigureProps) {
  const shown = <span className={value === 0 ? 'text-faint' : ''}>{formatCount(value)}</span>
  return (
    <div className="relative bg-panel px-4 py-3 has-[a:hover]:bg-hover/60">
      <dt className="flex items-center gap-1.5 text-faint text-xs">
        {color ? <span className="size-2 rounded-full" style={{ background: `var(--color-${color})` }} aria-hidden="true" /> : null}
        {name}
      </dt>
      <dd className="font-semibold text-xl tabular">
        {link ? (
          <Link {...(link as LinkProps)} className="after:absolute after:inset-0">
            {shown}
          </Link>
        ) : (
          shown
        )}
      </dd>
      {detail ? <dd className="text-faint text-xs">{detail}</dd> : null}
    </div>
  )
}

const inWords = ({ sent, opened, replied }: Totals): string =>
  `Daily results for the last 30 days: ${formatNoun(sent, 'email')} sent, ${formatNoun(opened, 'open')}, ${formatNoun(replied, 'reply', 'replies')}`
