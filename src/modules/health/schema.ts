import { about, DateTime, Links, namedObject, nullable, oneOf, strict, Uuid } from '../../http/schema.ts'
import { type Static, Type } from '../../lib/type.ts'

const STATUSES = ['pass', 'warn', 'fail', 'unknown'] as const
export type Status = (typeof STATUSES)[number]

const CHECKS = ['spf', 'dkim', 'dmarc', 'mx', 'reverse_name', 'tracking_host'] as const

const DnsRecord = strict({
  type: about(oneOf(['TXT', 'CNAME', 'MX', 'PTR']), 'The type of the record.'),
  name: Type.String(),
  value: Type.String(),
})
export type DnsRecord = Static<typeof DnsRecord>

const finding = {
  status: oneOf(STATUSES),
  found: Type.String({ description: 'The finding of the check.' }),
  advice: nullable(Type.String({ description: 'The next step, when the record alone does not explain it.' })),
  record: nullable({ ...DnsRecord, description: 'The DNS record to publish, if there is one.' }),
}
const Check = strict({ check: about(oneOf(CHECKS), 'The name of the check.'), ...finding })
export type Check = Static<typeof Check>
export type Finding = Omit<Check, 'check'>

export const DomainHealth = namedObject('DomainHealth', {
  providerId: Uuid,
  workspaceId: Uuid,
  domain: Type.String({ description: 'The domain that the mailbox sends from.' }),
  status: oneOf(STATUSES, {
    description: 'The worst result of the checks: `fail`, then `warn`, then `unknown`. `pass` only when every check has passed.',
  }),
  checkedAt: nullable({ ...DateTime, description: 'Null before the first check.' }),
  checks: Type.Array(
    strict({
      check: about(oneOf(CHECKS), 'The name of the check.'),
      why: Type.String({ description: 'Why it matters, in one sentence.' }),
      ...finding,
    }),
    {
      description: 'The result of each check.',
    },
  ),
  links: Links,
})

export const DomainHealthResult = namedObject('DomainHealthResult', { health: about(DomainHealth, 'The health of the domain.') })
