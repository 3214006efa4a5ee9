import type { Database } from '../db/client.ts'
import { repeatWhileLocked } from '../db/errors.ts'
import { type Db, sql } from '../db/sql.ts'
import type { Person } from '../lib/scrub.ts'
import { findOwner } from '../modules/workspaces/queries.ts'

// The last step of an erasure searches for the address in every text of the workspace that no rule of a slice has searched.

/** The rows of a workspace, where the table does not name it. */
const WITHIN: Readonly<Record<string, string>> = {
  lead_words: 'campaign_id in (select id from campaigns where workspace_id = $1)',
  export_rows: 'export_id in (select id from exports where workspace_id = $1)',
  lead_import_chunks: 'operation_id in (select id from operations where workspace_id = $1)',
  csv_upload_pieces: 'upload_id in (select id from csv_uploads where workspace_id = $1)',
  people: 'owner = (select owner_number from workspaces where id = $1)',
  companies: 'owner = (select owner_number from workspaces where id = $1)',
}

/** Tables that are left alone: rules of their slices go through the first ones, and the others are about the team and not about leads. */
const LEFT_ALONE = [
  ...['events', 'operations', 'sent_bodies', 'inbound_messages', 'inbound_attachments', 'sandbox_messages', 'leads'],
  ...['invitations', 'tokens', 'test_clock'],
]

/** The workspace's own settings: its mailboxes, hosts and endpoints, and texts that it sends. It would not work if they were changed. */
const OWN_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  providers: ['name', 'from_name', 'from_email', 'postal_address', 'settings', 'reply_to', 'signature', 'consent', 'timezone'],
  webhook_endpoints: ['url', 'description', 'events'],
  tracking_hosts: ['host', 'origin'],
  consents: ['account'],
  campaigns: ['opt_out_text'],
}

/** Columns of bytes that hold text. All others are hashes, or encrypted. */
const BYTES_OF_TEXT = ['csv_upload_pieces.bytes']

const LIST_TEXTS = sql(`
  select c.relname as "table", array_agg(a.attname::text order by a.attnum) as columns,
    array_agg(
      format(
        case format_type(a.atttypid, null)
          when 'text[]' then 'array_to_string(%I, '' '')'
          when 'bytea' then 'encode(%I, ''escape'')'
          else '%I::text'
        end, a.attname)
      order by a.attnum) as texts,
    greatest(pg_relation_size(c.oid) / current_setting('block_size')::int, 1)::float8 as pages
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = current_schema()::regnamespace
    and c.relkind = 'r'
    and (
      format_type(a.atttypid, null) in ('text', 'text[]', 'jsonb')
      or c.relname || '.' || a.attname = any($2::text[]))
    and (
      c.relname = any($1::text[])
      or exists (select from pg_attribute w where w.attrelid = c.oid and w.attname = 'workspace_id' and not w.attisdropped))
  group by c.oid, c.relname
  order by c.relname`)

/** The exact pattern takes a hundred times as long as the wide one, so it is compared only in rows where the wide one matches. */
const SCRUB = sql(`
  select scrub_texts(
    $1::regclass,
    $2::text[],
    $3 || (select format(' and (%s)', string_agg(format('%s ~* %L', text, $8::text), ' or ')) from unnest($9::text[]) as text),
    $4::uuid, $5, $6::bigint, $7::bigint
  ) as count`)

/** 16 MB, in one transaction. */
const PAGES_AT_ONCE = 2000

interface Scrubbed {
  columns: string[]
  /** The text in each of the columns, as an expression. */
  texts: string[]
  pages: number
}

/** The columns of the workspace that are scrubbed, by their tables. */
export async function listScrubbed(db: Db): Promise<Map<string, Scrubbed>> {
  const rows = await db.many<Scrubbed & { table: string }>(LIST_TEXTS, [Object.keys(WITHIN), BYTES_OF_TEXT])
  const scrubbed = rows
    .filter(({ table }) => !LEFT_ALONE.includes(table))
    .map(({ table, columns, texts, pages }) => {
      const isScrubbed = (name: string): boolean => !OWN_COLUMNS[table]?.includes(name)
      return [table, { columns: columns.filter(isScrubbed), texts: texts.filter((_, at) => isScrubbed(columns[at]!)), pages }] as const
    })
  return new Map(scrubbed.filter(([, { columns }]) => columns.length > 0))
}

/** Page by page, and not through an index: a row is found wherever it is, and no statement takes long. */
export async function scrubTexts(db: Database, workspaceId: string, person: Person, signal: AbortSignal): Promise<void> {
  for (const [table, { columns, texts, pages }] of await listScrubbed(db)) {
    const within = WITHIN[table] ?? 'workspace_id = $1'
    // Without people of its own, the workspace has no rows in the directory, which can be large.
    if (within.startsWith('owner') && (await findOwner(db, workspaceId)) === 0) continue
    for (let page = 0; page < pages; page += PAGES_AT_ONCE) {
      signal.throwIfAborted()
      const values = [table, columns, within, workspaceId, person.exactPattern, page, page + PAGES_AT_ONCE, person.pattern, texts]
      await repeatWhileLocked(() => db.inTransaction(async tx => void (await tx.first(SCRUB, values))), signal)
    }
  }
}
