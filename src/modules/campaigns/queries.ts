import { newestFirst } from '../../db/filtered.ts'
import { columnsOf, contains } from '../../db/fragments.ts'
import { lookup } from '../../db/lookup.ts'
import { type Db, sql } from '../../db/sql.ts'
import { valuesOf } from '../../lib/pick.ts'
import type { Static } from '../../lib/type.ts'
import type { ContactOverrides } from '../workspaces/schema.ts'
import type { Campaign, CampaignStatus, Weekday } from './schema.ts'

export interface CampaignRow
  extends Omit<
    Static<typeof Campaign>,
    'displayStatus' | 'startDate' | 'endDate' | 'effectiveContactRules' | 'metrics' | 'createdAt' | 'updatedAt' | 'links'
  > {
  statusBeforeArchive: CampaignStatus | null
  attentionReason: string | null
  startDate: Date | null
  endDate: Date | null
  daysOfWeek: Weekday[] | null
  windowStart: string | null
  windowEnd: string | null
  timezone: string | null
  useLeadTimezone: boolean
  /** The rules that apply when the campaign does not override them. */
  workspaceContactRules: ContactOverrides
  /** The operation whose change already applies, while it waits for messages that left before. */
  updatingOperationId: string | null
  /** Whether anything has happened that metrics count. Drafts hardly ever have metrics, and then nothing more is read. */
  hasMetrics: boolean
  sequenceVersion: number
  createdAt: Date
  updatedAt: Date
}

/** The part of a campaign that people set, except the name, with the values of a new one. */
export const EMPTY_CONFIGURATION = {
  providerId: null,
  pipelineId: null,
  salesPersonId: null,
  startDate: null,
  endDate: null,
  daysOfWeek: null,
  windowStart: null,
  windowEnd: null,
  timezone: null,
  useLeadTimezone: false,
  leadListName: null,
  sourceUrl: null,
  niche: null,
  location: null,
  jobTitle: null,
  companySize: null,
  industry: null,
  trackOpens: false,
  trackClicks: false,
  unsubscribe: 'header',
  optOutText: null,
  rotationProviderIds: [],
  contactRules: {},
} satisfies Partial<CampaignRow>

export type Configuration = Pick<CampaignRow, 'name' | keyof typeof EMPTY_CONFIGURATION>
export const CONFIGURATION_FIELDS = ['name', ...Object.keys(EMPTY_CONFIGURATION)] as (keyof Configuration)[]

const columns = CONFIGURATION_FIELDS.map(field => field.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`))

const OTHERS = `id, workspace_id, status, status_before_archive, attention_reason, updating_operation_id, total_leads, sequence_version,
  created_at, updated_at`

const COLUMNS = `${columnsOf(OTHERS)},
  (select w.contact_rules from workspaces w where w.id = campaigns.workspace_id) as "workspaceContactRules",
  exists (select from campaign_metrics m where m.campaign_id = campaigns.id) as "hasMetrics",
  ${columnsOf(columns.join(', '))}`

// A change always moves updated_at forward, even twice in one millisecond or when the clock was set back.
const TOUCH = (now: string): string => `updated_at = greatest(${now}::timestamptz(3), updated_at + interval '1 millisecond')`

export const insertCampaign = sql(`
  insert into campaigns (id, workspace_id, created_at, updated_at, ${columns.join(', ')})
  values ($1, $2, $3, $3, ${columns.map((_, index) => `$${index + 4}`).join(', ')})
  returning ${COLUMNS}`).one<CampaignRow, [id: string, workspaceId: string, configuration: Configuration, now: Date]>(
  (id, workspaceId, configuration, now) => [id, workspaceId, now, ...valuesOf(configuration, ...CONFIGURATION_FIELDS)],
)

const FIND = lookup(
  ['uuid', 'uuid'],
  `select ${COLUMNS}
  from campaigns
  where workspace_id = $1 and id = $2`,
)

export const findCampaign = (db: Db, workspaceId: string, id: string): Promise<CampaignRow | undefined> =>
  db.find<CampaignRow>(FIND, [workspaceId, id])

export const lockCampaign = sql(`
  select ${COLUMNS}
  from campaigns
  where workspace_id = $1 and id = $2
  for no key update`).first<CampaignRow, [workspaceId: string, id: string]>()

/** They reach no recipient, so approvals do not bind them. */
const LABELS = `name lead_list_name source_url niche location job_title company_size industry pipeline_id sales_person_id`.split(' ')
const CONTENT = columns.filter(column => !LABELS.includes(column))

export const updateConfiguration = sql(`
  update campaigns
  set ${TOUCH('$2')}, updating_operation_id = $3,
    content_version = content_version + ((${CONTENT}) is distinct from (${CONTENT.map(column => `$${columns.indexOf(column) + 4}`)}))::int,
    ${columns.map((column, index) => `${column} = $${index + 4}`).join(', ')}
  where id = $1
  returning ${COLUMNS}`).one<CampaignRow, [id: string, configuration: Configuration, now: Date, operationId: string]>(
  (id, configuration, now, operationId) => [id, now, operationId, ...valuesOf(configuration, ...CONFIGURATION_FIELDS)],
)

/** The mailboxes that left the campaign and still have threads to continue. */
export const keepMailboxes = sql(`
  update campaigns
  set kept_provider_ids = $2
  where id = $1`).run<[id: string, mailboxIds: string[]]>()

interface StatusChange {
  status: CampaignStatus
  statusBeforeArchive: CampaignStatus | null
  attentionReason: string | null
  attentionProviderId: string | null
}

export const updateStatus = sql(`
  update campaigns
  set ${TOUCH('$2')}, status = $3, status_before_archive = $4, attention_reason = $5, attention_provider_id = $6
  where id = $1
  returning ${COLUMNS}`).one<CampaignRow, [id: string, change: StatusChange, now: Date]>((id, change, now) => [
  ...[id, now],
  ...valuesOf(change, 'status', 'statusBeforeArchive', 'attentionReason', 'attentionProviderId'),
])

export const updateSequenceVersion = sql(`
  update campaigns
  set ${TOUCH('$3')}, sequence_version = $2
  where id = $1
  returning ${COLUMNS}`).one<CampaignRow, [id: string, version: number, now: Date]>()

export const addToTotalLeads = sql(`
  update campaigns
  set ${TOUCH('$3')}, total_leads = total_leads + $2
  where id = $1
  returning ${COLUMNS}`).one<CampaignRow, [id: string, count: number, now: Date]>()

/** The bounce breaker counts from here on. */
export const resetBreaker = sql(`
  update campaigns c
  set breaker_sent = m.emails_sent_count, breaker_bounced = m.bounced_count
  from campaign_metrics m
  where m.campaign_id = c.id and c.id = $1`).run<[id: string]>()

/** A mailbox is gone: first contacts are shared out among the others. A client that has read the campaign must read it again. */
export const removeFromRotation = sql(`
  update campaigns
  set rotation_provider_ids = array_remove(rotation_provider_ids, $2),
    kept_provider_ids = array_remove(kept_provider_ids, $2),
    provider_id = nullif(provider_id, $2),
    ${TOUCH('$3')}
  where workspace_id = $1
    and (provider_id = $2 or $2 = any(rotation_provider_ids || kept_provider_ids))`).run<
  [workspaceId: string, mailboxId: string, now: Date]
>()

export const listCampaignIds = sql(`
  select id
  from campaigns
  where workspace_id = $1
  order by id`).column<string, [workspaceId: string]>()

type CampaignFilter = 'q' | 'status' | 'providerId' | 'createdFrom' | 'createdTo' | 'updatedFrom' | 'updatedTo'

export const listCampaigns = newestFirst<CampaignRow, [workspaceId: string, displayStatus: string], CampaignFilter>(
  `
  select ${COLUMNS}
  from campaigns
  where workspace_id = $1
    and (status = 'archived') = ($2 = 'archived')`,
  {
    status: 'status = ?',
    providerId: 'provider_id = ?',
    createdFrom: 'created_at >= ?',
    createdTo: 'created_at <= ?',
    updatedFrom: 'updated_at >= ?',
    updatedTo: 'updated_at <= ?',
    q: contains('name', '?'),
  },
)

/** Those of the mailboxes that belong to the workspace. */
export const findMailboxes = sql(`
  select id
  from providers
  where workspace_id = $1 and id = any($2::uuid[])`).set<string, [workspaceId: string, ids: string[]]>()

/** SQL for the statement that accepts operations: the id and the status of a campaign of this workspace. */
export const statusOfCampaign = (id: string, workspaceId: string): string => `
      select id, status
      from campaigns
      where id = ${id} and workspace_id = ${workspaceId}
      limit 1
    `
