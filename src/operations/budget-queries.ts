import { sql, type Tx } from '../db/client.ts'
import { MAKERS } from '../db/fragments.ts'
import type { TokenLimits } from '../lib/token-limits.ts'

export interface Spending {
  leads: number
  credits: number
  mails: number
}

export interface LimitedToken extends Spending {
  id: string
  limits: TokenLimits
}

// The token and the tokens that created it, as far as they have limits. Adding zero locks the row: a second transaction waits here and then
// sees what the first has stored. The order of the rows prevents deadlocks.
const LOCK = sql(`
  with recursive ${MAKERS}, locked as (
    insert into token_spending as s (token_id, day)
    select id, (now() at time zone 'utc')::date
    from makers
    where limits is not null
    order by id
    on conflict (token_id, day) do update
    set leads = s.leads
    returning token_id, leads, credits, mails
  )
  select l.token_id as id, m.limits, l.leads, l.credits, l.mails
  from locked l
  join makers m on m.id = l.token_id`)

export const lockSpending = (tx: Tx, tokenId: string): Promise<LimitedToken[]> => tx.many<LimitedToken>(LOCK, [tokenId])

const ADD = sql(`
  update token_spending
  set leads = leads + $2, credits = credits + $3, mails = mails + $4
  where token_id = any($1::uuid[])
    and day = (now() at time zone 'utc')::date`)

export async function addSpending(tx: Tx, tokenIds: string[], { leads, credits, mails }: Spending): Promise<void> {
  await tx.run(ADD, [tokenIds, leads, credits, mails])
}

const CLEAR = sql(`
  delete from token_spending
  where day < (now() at time zone 'utc')::date - 30`)

/** Deletes old spending. */
export const clearOldSpending = (tx: Tx): Promise<number> => tx.run(CLEAR, [])

export interface CampaignLoad {
  status: string
  stepCount: number
  /** The e-mails that its leads have before them, at most. */
  openMails: number
  leadCount: number
  /** The number of skipped leads among the given ones, or among all when none are given. */
  skippedCount: number
  /** Whether it sends from a mailbox that is not a sandbox. */
  isReal: boolean
  /** Whether an unfinished operation could change these numbers. */
  isMoving: boolean
}

const FIND_LOAD = sql(`
  select c.status, s.count as "stepCount", l.mails as "openMails", l.count as "leadCount", l.skipped as "skippedCount",
    exists (
      select from providers p
      where p.workspace_id = c.workspace_id
        and p.kind <> 'sandbox'
        and p.id = any(array_append(c.rotation_provider_ids || c.kept_provider_ids, c.provider_id))
    ) as "isReal",
    exists (
      select from operations o
      where o.campaign_id = c.id
        and o.id <> $3
        and o.completed_at is null
        and o.action = any($5::text[])
    ) or exists (
      -- Leads of another campaign are being moved here.
      select from operations o
      where o.workspace_id = c.workspace_id
        and o.id <> $3
        and o.completed_at is null
        and o.action = 'lead.bulk'
        and o.action = any($5::text[])
        and (o.input ->> 'targetCampaignId')::uuid = c.id
    ) as "isMoving"
  from campaigns c
  left join sequence_versions v on v.campaign_id = c.id and v.version = c.sequence_version
  cross join lateral (select coalesce(jsonb_array_length(v.steps), 0) as count) as s
  cross join lateral (
    select count(*)::int as count,
      coalesce(
        sum(greatest(coalesce(jsonb_array_length(b.steps), s.count) - l.next_step, 0))
          filter (where l.status in ('not_yet_contacted', 'contacted')),
        0
      )::int as mails,
      count(*) filter (where l.status = 'skipped' and ($4::uuid[] is null or l.id = any($4)))::int as skipped
    from leads l
    -- A lead that has begun stays on the version that it began with.
    left join sequence_versions b on b.campaign_id = c.id and b.version = l.sequence_version
    where l.campaign_id = c.id
  ) as l
  where c.workspace_id = $1 and c.id = $2`)

interface LoadQuestion {
  workspaceId: string
  campaignId: string
  /** The operation of this request, which does not count as unfinished. */
  operationId: string
  leadIds: string[] | null
  /** The actions that could change the load. */
  changing: readonly string[]
}

export const findCampaignLoad = (
  tx: Tx,
  { workspaceId, campaignId, operationId, leadIds, changing }: LoadQuestion,
): Promise<CampaignLoad | undefined> => tx.first<CampaignLoad>(FIND_LOAD, [workspaceId, campaignId, operationId, leadIds, changing])

const HAS_REAL = sql(`
  select exists (
    select from providers
    where workspace_id = $1
      and id = any($2::uuid[])
      and kind <> 'sandbox'
  ) as found`)

export const hasRealMailbox = async (tx: Tx, workspaceId: string, ids: string[]): Promise<boolean> =>
  (await tx.first<{ found: boolean }>(HAS_REAL, [workspaceId, ids]))!.found

const FIND_ANSWERING = sql(`
  select provider_id as id
  from inbound_messages
  where workspace_id = $1 and id = $2`)

/** The mailbox that a reply came to, which answers it. */
export const findAnsweringMailbox = async (tx: Tx, workspaceId: string, replyId: string): Promise<string | undefined> =>
  (await tx.first<{ id: string }>(FIND_ANSWERING, [workspaceId, replyId]))?.id
