import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quotedCsv } from '../../lib/csv.ts'
import { csvRows } from '../../lib/csv-stream.ts'
import { readExport, type Tool } from './other-tools.ts'

const readLines = (tool: Tool, lines: readonly string[]) => readExport(tool, Buffer.from(lines.join('\n')))

test('a CSV file is read with quotes, empty lines, and the most frequent separator of its first line', () => {
  assert.deepEqual(csvRows(Buffer.from('\ufeffa;b\r\n"x;""y""\nz";\r\n\r\n1;2')), [
    ['a', 'b'],
    ['x;"y"\nz', ''],
    ['1', '2'],
  ])
  assert.deepEqual(csvRows(Buffer.from(quotedCsv([['a "b", c', '+49 1']]))), [['a "b", c', '+49 1']])
  assert.deepEqual(csvRows(Buffer.from('a,b\r1,2\r')), [
    ['a', 'b'],
    ['1', '2'],
  ])
  assert.throws(() => csvRows(Buffer.from('a,b\n1,"2\n3,4\n')), /Line 2 of the file cannot be read: a quote is not closed/)
})

test('of an Instantly export, people who unsubscribed or bounced are suppressed, and replied or finished ones are left out', () => {
  const found = readLines('instantly', [
    'Email,First Name,Company Name,Phone,Lead Status,Interest Status,Email Reply Count,Timestamp Created,Consent',
    'ann@a.example,Ann,Acme,+49 1,Active,,0,2026-01-01,yes',
    'bob@b.example,Bob,B,,Unsubscribed,,0,,',
    'cy@c.example,Cy,C,,-1,,0,,',
    'di@d.example,Di,D,,Completed,,0,,',
    'ed@e.example,Ed,E,,Active,Not interested,0,,',
    'flo@f.example,Flo,F,,Active,,2,,',
  ])
  assert.deepEqual(found.rows, [
    ['email', 'firstName', 'company', 'Phone', 'Consent'],
    ['ann@a.example', 'Ann', 'Acme', '+49 1', 'yes'],
  ])
  assert.deepEqual(found.suppressed, ['bob@b.example', 'cy@c.example'])
  assert.deepEqual([found.answeredCount, found.finishedCount], [2, 1])
})

test('of a Smartlead export, custom fields become columns again', () => {
  const found = readLines('smartlead', [
    'id,status,category,first_name,email,company_name,custom_fields,is_unsubscribed,reply_count,open_count',
    '1,INPROGRESS,,Ann,ann@a.example,Acme,"{""Icebreaker"":""Hi"",""Plan"":2}",false,0,3',
    '2,STARTED,,Bob,bob@b.example,B,,true,0,0',
    '3,STARTED,Do Not Contact,Cy,cy@c.example,C,no json,false,0,0',
    '4,STARTED,Out Of Office,Di,di@d.example,D,{},false,0,0',
  ])
  assert.deepEqual(found.rows, [
    ['firstName', 'email', 'company', 'Icebreaker', 'Plan'],
    ['Ann', 'ann@a.example', 'Acme', 'Hi', '2'],
    ['Di', 'di@d.example', 'D', '', ''],
  ])
  assert.deepEqual(found.suppressed, ['bob@b.example', 'cy@c.example'])
})

test('an export in which each row has other custom fields is refused, because its table would have as many columns as rows', () => {
  const rows = Array.from({ length: 60 }, (_, n) => {
    const fields = Array.from({ length: 10 }, (_each, at) => `""f${n}x${at}"":1`)
    return `p${n}@a.example,"{${fields.join(',')}}"`
  })
  assert.throws(() => readLines('smartlead', ['email,custom_fields', ...rows]), /more than 500 custom fields/)
})

test('of a lemlist export, an address that opted out in one row is not imported from another', () => {
  const found = readLines('lemlist', [
    'email;firstName;companyName;icebreaker;lastState',
    'ann@a.example;Ann;Acme;Hello;contacted',
    'Bob@b.example;Bob;B;;contacted',
    'bob@b.example;Bob;B;;emailsUnsubscribed',
    'cy@c.example;Cy;C;;emailsReplied',
  ])
  assert.deepEqual(found.rows.slice(1), [['ann@a.example', 'Ann', 'Acme', 'Hello']])
  assert.deepEqual([found.suppressed, found.answeredCount], [['bob@b.example'], 1])
})

/** The columns and values that each tool writes today, and the expected status of each address. */
const EXPORTS = {
  instantly: [
    'email,first_name,last_name,company_name,phone,website,personalization,status,email_open_count,email_reply_count,lt_interest_status,esp_code,timestamp_created,timestamp_last_reply',
    'open@a.example,Ann,Lee,Acme,+49 1,acme.example,Hi,1,3,0,0,2,2026-01-01,',
    'through@a.example,Bob,B,B,,,,3,0,0,,,,',
    'bounced@a.example,Cy,C,C,,,,-1,0,0,,,,',
    'gone@a.example,Di,D,D,,,,-2,0,0,,,,',
    'meets@a.example,Ed,E,E,,,,1,0,0,2,,,',
    'refuses@a.example,Flo,F,F,,,,1,0,0,-1,,,',
    'wrote@a.example,Gus,G,G,,,,1,0,0,,,,2026-02-02T10:00:00Z',
  ],
  smartlead: [
    'id,campaign_lead_map_id,status,created_at,first_name,last_name,email,phone_number,company_name,website,' +
      'location,custom_fields,linkedin_profile,company_url,is_unsubscribed,last_email_sequence_sent,is_interested,open_count,click_count,reply_count,category,reply_time',
    '1,9,INPROGRESS,2026-01-01,Ann,Lee,open@a.example,,Acme,,Berlin,{},,,false,2,false,1,0,0,,',
    '2,9,COMPLETED,,Bob,B,through@a.example,,B,,,{},,,false,3,,0,0,0,,',
    '3,9,STOPPED,,Hal,H,through2@a.example,,B,,,{},,,false,3,,0,0,0,,',
    '4,9,BLOCKED,,Cy,C,bounced@a.example,,C,,,{},,,false,1,,0,0,0,,',
    '5,9,INPROGRESS,,Di,D,gone@a.example,,D,,,{},,,true,1,,0,0,0,,',
    '6,9,INPROGRESS,,Ed,E,meets@a.example,,E,,,{},,,false,1,,0,0,0,Meeting Request,',
    '7,9,INPROGRESS,,Flo,F,refuses@a.example,,F,,,{},,,false,1,,0,0,0,Not Interested,',
    '8,9,INPROGRESS,,Gus,G,wrote@a.example,,G,,,{},,,false,1,,0,0,0,,2026-02-02 10:00:00',
  ],
  lemlist: [
    '_id,email,firstName,lastName,companyName,jobTitle,linkedinUrl,phone,companyDomain,icebreaker,emailStatus,lastState,isPaused,repliedAt',
    'lea_1,open@a.example,Ann,Lee,Acme,CTO,,,acme.example,Hi,deliverable,emailsOpened,false,',
    'lea_3,bounced@a.example,Cy,C,C,,,,,,risky,emailsBounced,false,',
    'lea_4,gone@a.example,Di,D,D,,,,,,,manuallyUnsubscribed,false,',
    'lea_5,meets@a.example,Ed,E,E,,,,,,,interested,false,',
    'lea_6,refuses@a.example,Flo,F,F,,,,,,,notInterested,false,',
    'lea_7,wrote@a.example,Gus,G,G,,,,,,,emailsSent,false,2026-02-02T10:00:00Z',
    'lea_8,through@a.example,Ida,I,I,,,,,,,sequenceFinished,false,',
  ],
} as const

for (const tool of ['instantly', 'smartlead', 'lemlist'] as const) {
  test(`of a ${tool} export, only open leads are imported`, () => {
    const { rows, suppressed, answeredCount, finishedCount } = readLines(tool, EXPORTS[tool])
    const at = rows[0]!.indexOf('email')
    assert.deepEqual(
      rows.slice(1).map(row => row[at]),
      ['open@a.example'],
    )
    assert.deepEqual(suppressed, ['bounced@a.example', 'gone@a.example'])
    assert.deepEqual([answeredCount, finishedCount], [3, tool === 'smartlead' ? 2 : 1])
    assert.ok(rows[0]!.includes('company') && rows[0]!.includes('firstName'), rows[0]!.join())
  })
}

test('a column may have any name', () => {
  for (const name of ['constructor', '__proto__', 'toString'])
    assert.deepEqual(readLines('instantly', [`Email,${name}`, 'ann@a.example,x']).rows, [
      ['email', name],
      ['ann@a.example', 'x'],
    ])
})
