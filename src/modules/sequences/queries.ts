import { sql } from '../../db/sql.ts'
import { listsOf, valuesOf } from '../../lib/pick.ts'
import type { SequenceStep } from './schema.ts'

export interface SequenceRow {
  campaignId: string
  version: number
  steps: SequenceStep[]
  createdAt: Date
}

export const findSequence = sql(`
  select campaign_id as "campaignId", version, steps, created_at as "createdAt"
  from sequence_versions
  where campaign_id = $1 and version = $2`).first<SequenceRow, [campaignId: string, version: number]>()

/** By `campaignId version`. */
export const listSteps = sql(`
  select concat_ws(' ', campaign_id, version), steps
  from sequence_versions
  where (campaign_id, version) in (select * from unnest($1::uuid[], $2::int[]))`).map<
  string,
  SequenceStep[],
  [asked: { campaignId: string; version: number }[]]
>(asked => listsOf(asked, 'campaignId', 'version'))

export const insertSequence = sql(`
  insert into sequence_versions (campaign_id, version, steps, created_at)
  values ($1, $2, $3, $4)`).run((sequence: SequenceRow) => [
  ...valuesOf(sequence, 'campaignId', 'version'),
  JSON.stringify(sequence.steps),
  sequence.createdAt,
])

export const supersedeSequences = sql(`
  update sequence_versions
  set superseded_at = $3
  where campaign_id = $1
    and version < $2
    and superseded_at is null`).run(({ campaignId, version, createdAt }: Omit<SequenceRow, 'steps'>) => [campaignId, version, createdAt])

// A lead that began with a version continues with it, even after it was skipped and requeued. The open leads are found step by step,
// in the order of their index; a sequence has at most twenty steps, and after the last a lead waits for a reply.
/** Versions that were replaced before then and that no lead uses. */
export const forgetSequences = sql(`
  delete from sequence_versions
  where (campaign_id, version) in (
    select v.campaign_id, v.version
    from sequence_versions v
    where v.superseded_at < $1
      and not exists (
        select from generate_series(0, 20) as at(step)
        join leads l on l.campaign_id = v.campaign_id
          and l.next_step = at.step
          and coalesce(l.sequence_version, 0) = v.version
          and l.status in ('not_yet_contacted', 'contacted')
      )
      and not exists (
        select from leads l
        where l.campaign_id = v.campaign_id
          and l.status = 'skipped'
          and l.sequence_version = v.version
      )
      and not exists (
        select from open_sends o
        join sends s on s.id = o.send_id
        where o.campaign_id = v.campaign_id
          and s.sequence_version = v.version
      )
    order by v.superseded_at
    limit $2
    for update skip locked
  )`).run<[before: Date, limit: number]>()
