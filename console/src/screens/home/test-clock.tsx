import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { campaignNow, useTestClock } from '@/data/clock.ts'
import { onEvent } from '@/data/live-state.ts'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { ClockIcon, PlayIcon } from '@/ui/icons.tsx'
import { NumberLink } from '@/ui/quick-link.tsx'
import { ErrorNote } from '@/ui/states.tsx'

const COUNTED = { 'email.sent': 'sent', 'email.opened': 'opened', 'email.replied': 'replied', 'email.bounced': 'bounced' } as const
type Counts = Record<(typeof COUNTED)[keyof typeof COUNTED], number>
const NONE: Counts = { sent: 0, opened: 0, replied: 0, bounced: 0 }
const DAY_MS = 86_400_000
const REFRESH_MS = 1000

/** Fast-forwards days of a campaign in seconds, and counts events as they happen. */
export function usePlay() {
  const { api } = useWorkspace()
  const queries = useQueryClient()
  const [counts, setCounts] = useState<Counts | null>(null)
  const sinceStart = useRef<() => Promise<Counts>>(() => Promise.resolve(NONE))
  const play = useOperation({
    async send(days: number, options) {
      sinceStart.current = await startCount(api)
      return api.sandbox.advanceClock({ advance: { days } }, options)
    },
    once: 'play',
    touches: [['clock'], ['series'], ['campaigns'], ['replies'], ['providers']],
    // If the counts cannot be loaded, those of the stream stay.
    onDone: () => void sinceStart.current().then(setCounts, () => undefined),
  })
  // The counts come from the event stream. The clock is loaded again while events arrive, not by a timer.
  useEffect(() => {
    if (!play.isBusy) return
    let refreshedAt = 0
    setCounts(NONE)
    return onEvent(({ type, data }) => {
      const name = COUNTED[type as keyof typeof COUNTED]
      if (name && !('machine' in data && data.machine)) setCounts(before => ({ ...(before ?? NONE), [name]: (before ?? NONE)[name] + 1 }))
      if (Date.now() - refreshedAt < REFRESH_MS) return
      refreshedAt = Date.now()
      void queries.invalidateQueries({ queryKey: ['clock'] })
    })
  }, [play.isBusy, queries])
  return { ...play, counts }
}

/**
 * Counts new events as the difference between two results. The counts of the operation cannot be used: the clock belongs to all workspaces,
 * and the operation counts in the first workspace of the person, which may be another one.
 */
async function startCount(api: ReturnType<typeof useWorkspace>['api']): Promise<() => Promise<Counts>> {
  const from = new Date(campaignNow().getTime() - DAY_MS).toISOString()
  const count = async () => (await api.metrics.getSeries({ interval: 'day', from })).series[0]?.totals ?? NONE
  const before = await count()
  return async () => {
    const after = await count()
    const since = (name: keyof Counts) => after[name] - before[name]
    return { sent: since('sent'), opened: since('opened'), replied: since('replied'), bounced: since('bounced') }
  }
}

export type Play = ReturnType<typeof usePlay>

/** Shown in a local installation if all mailboxes are sandboxes. */
export function TestClock({ play }: { play: Play }) {
  const { api, may } = useWorkspace()
  const { data: clock } = useTestClock()
  const reset = useOperation({ send: (_: null, options) => api.sandbox.resetClock(options), touches: [['clock']] })
  if (!clock) return null
  const aheadDays = Math.round(clock.offsetMs / DAY_MS)
  const mayPlay = may('campaigns:write') && (clock.canAdvance || clock.advancing !== null)
  // The time of the campaigns is not the real one for them either.
  if (!mayPlay) return clock.offsetMs > 0 ? <ClockAhead aheadDays={aheadDays} reason={clock.reason} /> : null
  const isPlaying = play.isBusy || clock.advancing !== null
  return (
    <section
      aria-label="Test clock"
      className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-line bg-panel px-4 py-3 shadow-low"
    >
      <span className="grid size-8 shrink-0 place-items-center rounded-lg bg-accent-wash text-accent-ink">
        <ClockIcon />
      </span>
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">
          {isPlaying
            ? 'Fast-forwarding…'
            : aheadDays > 0
              ? `The test clock is ${formatNoun(aheadDays, 'day')} ahead`
              : 'Fast-forward the test clock'}
        </p>
        <p className="text-faint text-xs" aria-live="polite">
          {play.counts ? (
            <Counted counts={play.counts} />
          ) : (
            'All mailboxes are sandboxes: simulated recipients open and reply, and no real email is sent. The clock of all campaigns stays ahead until you reset it or connect a real mailbox.'
          )}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {aheadDays > 0 && !isPlaying ? (
          <Button variant="ghost" phase={reset.phase} onClick={() => void reset.run(null)}>
            Reset clock
          </Button>
        ) : null}
        <Button disabled={isPlaying} onClick={() => void play.run(1)}>
          Fast-forward 1 day
        </Button>
        <Button variant="primary" icon={PlayIcon} phase={play.phase} disabled={isPlaying} onClick={() => void play.run(14)}>
          Fast-forward 14 days
        </Button>
      </div>
      <ErrorNote error={play.error ?? reset.error} className="w-full" />
    </section>
  )
}

const ClockAhead = ({ aheadDays, reason }: { aheadDays: number; reason: string | null }) => (
  <section aria-label="Test clock" className="mb-5 rounded-xl border border-line bg-panel px-4 py-3 shadow-low">
    <p className="font-medium">The test clock is {aheadDays > 0 ? formatNoun(aheadDays, 'day') : 'less than a day'} ahead</p>
    {reason ? <p className="text-faint text-xs">{reason}</p> : null}
  </section>
)

export function Counted({ counts }: { counts: Counts }): ReactNode {
  return (
    <>
      <Count value={counts.sent} type="email.sent" /> sent · <Count value={counts.opened} type="email.opened" /> opened ·{' '}
      {counts.replied > 0 ? (
        <Link to="/inbox" className="font-medium text-accent-ink underline-offset-2 hover:underline">
          {formatNoun(counts.replied, 'reply', 'replies')}
        </Link>
      ) : (
        'no replies yet'
      )}{' '}
      · <Count value={counts.bounced} type="email.bounced" /> bounced
    </>
  )
}

const Count = ({ value, type }: { value: number; type: string }) => (
  <NumberLink link={{ to: '/developers/events', search: { type } as never }} title="View events" className="font-semibold text-ink tabular">
    {formatCount(value)}
  </NumberLink>
)
