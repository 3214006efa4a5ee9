import type { DomainHealth as Health } from '@overture/sdk'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { readableAddress } from '@/ui/address.ts'
import { Badge } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { CopyButton } from '@/ui/copy.tsx'
import { cx } from '@/ui/cx.ts'
import { RefreshIcon } from '@/ui/icons.tsx'
import { Loaded } from '@/ui/loaded.tsx'
import { Mark } from '@/ui/mark.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { useHealth } from './data.ts'

type Check = Health['checks'][number]

const NAMES: Record<Check['check'], string> = {
  spf: 'SPF',
  dkim: 'DKIM',
  dmarc: 'DMARC',
  mx: 'Receiving mail (MX)',
  reverse_name: 'Mail server name (reverse DNS)',
  tracking_host: 'Tracking domain',
}

const MARKS = {
  pass: ['Passed', 'good'],
  warn: ['Warning', 'warn'],
  fail: ['Failed', 'bad'],
  unknown: ['Unknown', 'neutral'],
} as const

/** Whether mail providers can tell email of this domain from spoofed email, and what to publish so that they can. */
export function DomainHealth({ providerId, isReadOnly }: { providerId: string; isReadOnly: boolean }) {
  const { api } = useWorkspace()
  const query = useHealth(providerId)
  const health = query.data
  const check = useOperation({
    send: (_: null, options) => api.providers.checkHealth(providerId, options),
    repeats: true,
    touches: [['providers', 'health', providerId]],
    done: 'Domain checked',
  })
  return (
    <Card
      title="Domain health"
      description={
        health?.checkedAt ? (
          <>
            {readableAddress(health.domain)}, checked <Time at={health.checkedAt} />
          </>
        ) : (
          'Checks whether mail providers can verify your email.'
        )
      }
      actions={
        <>
          {health?.checkedAt ? <Badge tone={MARKS[health.status][1]}>{MARKS[health.status][0]}</Badge> : null}
          {isReadOnly ? null : (
            <Button icon={RefreshIcon} size="sm" phase={check.phase} onClick={() => void check.run(null)}>
              Check domain
            </Button>
          )}
        </>
      }
    >
      <ErrorNote error={check.error} />
      <Loaded query={query}>
        {({ domain, checks }) =>
          checks.length === 0 ? (
            <p className="text-soft">
              Not checked yet. A check reads the DNS records of {readableAddress(domain)}. The check also sends a test email to another of
              your mailboxes to verify its DKIM signature.
            </p>
          ) : (
            <ul aria-label="Domain checks" className="-my-2.5 flex flex-col">
              {checks.map(each => (
                <CheckLine key={each.check} check={each} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function CheckLine({ check }: { check: Check }) {
  const [label, tone] = MARKS[check.status]
  return (
    <li className="flex gap-3 border-line border-b py-3 last:border-b-0">
      <Mark tone={tone} label={label} />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{NAMES[check.check]}</p>
        <p
          className={cx('break-words', check.status === 'fail' ? 'text-bad' : check.status === 'pass' ? 'text-faint text-xs' : 'text-soft')}
        >
          {check.found}
        </p>
        {check.advice ? <p className="mt-1 text-soft">{check.advice}</p> : null}
        {check.status === 'pass' ? null : <p className="mt-1 text-faint text-xs">{check.why}</p>}
        {check.record ? <DnsRecord record={check.record} /> : null}
      </div>
    </li>
  )
}

/** A record to publish, in the parts that the forms of DNS providers ask for. */
export function DnsRecord({ record: { type, name, value } }: { record: { type: string; name: string; value: string } }) {
  return (
    <figure className="mt-2 overflow-hidden rounded-lg border border-line bg-sunken">
      <figcaption className="flex items-center justify-between gap-3 border-line border-b px-3 py-1.5">
        <span className="text-soft text-xs">
          Add this <span className="font-medium text-ink">{type}</span> record to your DNS
        </span>
        <CopyButton text={value} label="Copy value" size="sm" variant="ghost" />
      </figcaption>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 px-3 py-2 text-xs">
        <dt className="text-faint">Name</dt>
        <dd className="min-w-0 break-all font-mono">{name}</dd>
        <dt className="text-faint">Value</dt>
        <dd className="min-w-0 break-all font-mono">{value}</dd>
      </dl>
    </figure>
  )
}
