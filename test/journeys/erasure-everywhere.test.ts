import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import pg from 'pg'
import { buildContext, closeContext } from '../../src/app/build-context.ts'
import { erasePerson } from '../../src/app/erase-person.ts'
import { loadConfig } from '../../src/context/config.ts'
import { personOf } from '../../src/lib/scrub.ts'
import { fillTables } from '../contract/fill-tables.ts'
import { createTestDatabase, TEST_SECRET } from '../harness.ts'

const EMAIL = 'Zeldana.Q+news@quince.example'
const PLAIN = EMAIL.toLowerCase()

/** Each finds its way into a text in some program. */
const SPELLINGS: Record<string, string> = {
  plain: PLAIN,
  'in capitals': EMAIL.toUpperCase(),
  'in quotes': `'${PLAIN}'`,
  'between underscores': `_${PLAIN}_`,
  'behind a dash': `-${PLAIN}-`,
  'in a URL': `https://shop.example/?to=${encodeURIComponent(PLAIN)}&x=1`,
  'in JSON': `{"to":"\\u003c${PLAIN.replace('@', '\\u0040')}\\u003e"}`,
  'in HTML': `&lt;${PLAIN.replace('@', '&#64;').replace('+', '&#x2B;')}&gt;`,
  'with a name': `"Quince, Z." <${EMAIL}>`,
  'over two lines': `see ${PLAIN.replace('@', '@=\r\n')} there`,
  'in base64': Buffer.from(`To: Z <${PLAIN}>, thanks`).toString('base64'),
  'in base64, in capitals': Buffer.from(`To: Z <${EMAIL.toUpperCase()}>, thanks`).toString('base64'),
  'with marks where a long word may break': PLAIN.replace('@', '@<wbr>').replace('.', '\u200b.'),
}

/** Columns that keep their text, and why. Every other text of the workspace is searched. */
const KEPT: Record<string, string> = {
  'providers.name providers.from_name providers.from_email providers.postal_address providers.settings providers.reply_to providers.signature providers.consent providers.timezone':
    'a mailbox of the workspace',
  'webhook_endpoints.url webhook_endpoints.description webhook_endpoints.events tracking_hosts.host tracking_hosts.origin consents.account':
    'an endpoint, a host or an account of the workspace',
  'invitations.email invitations.role tokens.name tokens.scopes tokens.limits tokens.kind tokens.last_four': 'a person of the team',
  'campaigns.opt_out_text sequence_versions.steps workspaces.opt_out_lines workspaces.name workspaces.contact_rules workspaces.domain_health':
    'texts that the workspace sends, and its own settings',
  'leads.email leads.timezone leads.status leads.reached leads.source leads.hold_reason': 'another lead, and words of ours',
  'operations.action operations.status operations.fingerprint operations.progress operations.checkpoint events.type':
    'words of ours, and counts',
  'inbound_messages.kind inbound_messages.judged_kind': 'words of ours',
  'export_rows.email': 'another person, who was paid for',
}
const kept = new Set(Object.keys(KEPT).flatMap(names => names.split(' ')))

/** Texts within a form that is read again. */
const FORMS: Record<string, (text: string) => unknown> = {
  'lead_import_chunks.leads': text => JSON.stringify([{ email: 'bob@quince.example', firstName: text }]),
  'rejected_rows.rows': text => JSON.stringify([{ line: 2, cells: [text], reason: 'invalid' }]),
  'leads.variables': text => JSON.stringify({ note: text }),
  // A table that a spreadsheet program has saved.
  'inbound_attachments.content': text => Buffer.from(text, 'utf16le'),
}

interface Column {
  table: string
  name: string
  type: string
  isFree: boolean
}

const COLUMNS = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
    not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype in ('c', 'f') and a.attnum = any(k.conkey)) as "isFree"
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = current_schema()::regnamespace
    and c.relkind = 'r'
    and (format_type(a.atttypid, null) in ('text', 'text[]', 'jsonb')
      or c.relname || '.' || a.attname in ('csv_upload_pieces.bytes', 'inbound_attachments.content'))
  order by 1, a.attnum`

/** Tables whose rows belong to a workspace, without its id in each. */
const BELONGING: Record<string, string> = {
  lead_words: 'campaign_id',
  sequence_versions: 'campaign_id',
  export_rows: 'export_id',
  lead_import_chunks: 'operation_id',
  csv_upload_pieces: 'upload_id',
  workspaces: 'id',
  // What the workspace imported itself.
  people: 'owner',
  companies: 'owner',
}

const asBytes = (value: unknown): string =>
  Buffer.isBuffer(value)
    ? value.toString('latin1').replaceAll('\0', '')
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flat().map(asBytes).join('\n')
      : String(value)

describe('an erasure', () => {
  it('finds the address in every text of every table, however it is spelled', async () => {
    const databaseUrl = await createTestDatabase()
    const ctx = buildContext({ config: loadConfig({}, { logLevel: 'silent' }), databaseUrl, secretKey: TEST_SECRET })
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await fillTables(client)
    const workspaceId: string = (await client.query('select id from workspaces order by id limit 1')).rows[0].id
    const { rows: columns } = await client.query<Column>(COLUMNS)
    const { rows: named } = await client.query(
      `select table_name as name from information_schema.columns where column_name = 'workspace_id' and table_schema = current_schema()`,
    )
    const ofWorkspaces = new Set(named.map(({ name }) => name as string))
    await client.query('update export_rows r set export_id = e.id from exports e')
    await client.query('update workspaces set owner_number = 9 where id = $1', [workspaceId])
    await client.query(`update people set owner = 9; update companies set owner = 9; update leads set variables = '{"n": "1"}'`)
    for (const table of ofWorkspaces)
      await client.query(`update ${table} set workspace_id = $1 where workspace_id is distinct from $1`, [workspaceId]).catch(() => {})
    const planted: string[] = []
    const spellings = Object.values(SPELLINGS)
    for (const [at, { table, name, type, isFree }] of columns.entries()) {
      if (!isFree || kept.has(`${table}.${name}`) || !(ofWorkspaces.has(table) || BELONGING[table])) continue
      const own = ofWorkspaces.has(table) ? `workspace_id = '${workspaceId}'` : 'true'
      const { rows } = await client.query(`select from ${table} where ${own}`)
      for (const [n] of rows.entries()) {
        // The text around it makes unique columns differ.
        const text = `${randomUUID()}: ${spellings[(at + n) % spellings.length]}`
        const form = FORMS[`${table}.${name}`]
        const value = form
          ? form(text)
          : { text, 'text[]': [text, 'other'], jsonb: JSON.stringify({ note: text, [text]: [text] }), bytea: Buffer.from(text) }[type]
        const { rowCount } = await client.query(
          `update ${table} set ${name} = $1 where ctid = (select ctid from ${table} where ${own} and (${name} is null or ${name}::text not like '%quince%') limit 1)`,
          [value],
        )
        if (rowCount) planted.push(`${table}.${name}`)
      }
    }
    assert.ok(new Set(planted).size > 80, `${new Set(planted).size} columns`)
    // The texts of many other leads: a search that takes long for each of their characters would exceed the time limit of a statement.
    await client.query(
      `insert into lead_words (campaign_id, first_id, last_id, size, lead_ids, words)
       select id, gen_random_uuid(), gen_random_uuid(), 0, '{}', repeat(E'bob@quince.example\\nbob quince works ', 250000)
       from campaigns where workspace_id = $1 limit 1`,
      [workspaceId],
    )
    await erasePerson(ctx, workspaceId, EMAIL, new AbortController().signal)
    const left: string[] = []
    for (const table of new Set(columns.map(each => each.table))) {
      const { rows } = await client.query(`select * from ${table}`)
      for (const row of rows)
        for (const [name, value] of Object.entries(row)) {
          const text = asBytes(value).toLowerCase()
          for (const [what, spelling] of Object.entries(SPELLINGS))
            if (text.includes(spelling.toLowerCase())) left.push(`${table}.${name}: ${what}`)
        }
    }
    await client.end()
    await closeContext(ctx)
    assert.deepEqual(left, [])
  })

  it('finds the longest addresses, also with an internationalized domain', async () => {
    const client = new pg.Client({ connectionString: await createTestDatabase() })
    await client.connect()
    const label = 'b\u00fccher-'.repeat(6)
    for (const email of [
      `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(58)}.example`,
      `${'ann-'.repeat(15)}x@${label}1.${label}2.example`,
    ]) {
      const { pattern, exactPattern } = personOf(email)
      const { rows } = await client.query('select $1 ~* $2 as found, $1 ~* $3 as is_exact, $4 ~* $3 as is_other', [
        `to ${email}, thanks`,
        pattern,
        exactPattern,
        `to jo${email}`,
      ])
      assert.deepEqual(rows, [{ found: true, is_exact: true, is_other: false }])
    }
    await client.end()
  })
})
