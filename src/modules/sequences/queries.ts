import { type Db, sql, type Tx } from '../../db/client.ts'
import type { SequenceStep } from './schema.ts'

export interface SequenceRow {
  campaignId: string
  version: number
  steps: SequenceStep[]
  createdAt: Date
}

const FIND = sql(`
  select campaign_id as "campaignId", version, steps, created_at as "createdAt"
  from sequence_versions
  where campaign_id = $1 and version = $2`)

export const findSequence = (db: Db, campaignId: string, version: number): Promise<SequenceRow | undefined> =>
  db.first<SequenceRow>(FIND, [campaignId, version])

const INSERT = sql(`
  insert into sequence_versions (campaign_id, version, steps, created_at)
  values ($1, $2, $3, $4)`)

export async function insertSequence(tx: Tx, sequence: SequenceRow): Promise<void> {
  await tx.run(INSERT, [sequence.campaignId, sequence.version, JSON.stringify(sequence.steps), sequence.createdAt])
}
