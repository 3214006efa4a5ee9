import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvRows, csvText } from './csv-rows.ts'
import { readExport } from './other-tools.ts'

test('a CSV file is read with quotes, empty lines, and the separator that its first line has most of', () => {
  assert.deepEqual(csvRows('\ufeffa;b\r\n"x;""y""\nz";\r\n\r\n1;2'), [
    ['a', 'b'],
    ['x;"y"\nz', ''],
    ['1', '2'],
  ])
  assert.deepEqual(csvRows(csvText([['a "b", c', '+49 1']])), [['a "b", c', '+49 1']])
})

test('of an export of Instantly, who unsubscribed or bounced is suppressed, and who answered or is through is left out', () => {
  const found = readExport(
    'instantly',
    [
      'Email,First Name,Company Name,Phone,Lead Status,Interest Status,Email Reply Count,Timestamp Created,Consent',
      'ann@a.example,Ann,Acme,+49 1,Active,,0,2026-01-01,yes',
      'bob@b.example,Bob,B,,Unsubscribed,,0,,',
      'cy@c.example,Cy,C,,-1,,0,,',
      'di@d.example,Di,D,,Completed,,0,,',
      'ed@e.example,Ed,E,,Active,Not interested,0,,',
      'flo@f.example,Flo,F,,Active,,2,,',
    ].join('\n'),
  )
  assert.deepEqual(found.rows, [
    ['email', 'firstName', 'company', 'Phone', 'Consent'],
    ['ann@a.example', 'Ann', 'Acme', '+49 1', 'yes'],
  ])
  assert.deepEqual(found.suppressed, ['bob@b.example', 'cy@c.example'])
  assert.deepEqual([found.answeredCount, found.finishedCount], [2, 1])
})

test('of an export of Smartlead, the fields that were uploaded there become columns again', () => {
  const found = readExport(
    'smartlead',
    [
      'id,status,category,first_name,email,company_name,custom_fields,is_unsubscribed,reply_count,open_count',
      '1,INPROGRESS,,Ann,ann@a.example,Acme,"{""Icebreaker"":""Hi"",""Plan"":2}",false,0,3',
      '2,STARTED,,Bob,bob@b.example,B,,true,0,0',
      '3,STARTED,Do Not Contact,Cy,cy@c.example,C,no json,false,0,0',
      '4,STARTED,Out Of Office,Di,di@d.example,D,{},false,0,0',
    ].join('\n'),
  )
  assert.deepEqual(found.rows, [
    ['firstName', 'email', 'company', 'Icebreaker', 'Plan'],
    ['Ann', 'ann@a.example', 'Acme', 'Hi', '2'],
    ['Di', 'di@d.example', 'D', '', ''],
  ])
  assert.deepEqual(found.suppressed, ['bob@b.example', 'cy@c.example'])
})

test('of an export of lemlist, an address that opted out in one row is not imported from another', () => {
  const found = readExport(
    'lemlist',
    [
      'email;firstName;companyName;icebreaker;lastState',
      'ann@a.example;Ann;Acme;Hello;contacted',
      'Bob@b.example;Bob;B;;contacted',
      'bob@b.example;Bob;B;;emailsUnsubscribed',
      'cy@c.example;Cy;C;;emailsReplied',
    ].join('\n'),
  )
  assert.deepEqual(found.rows.slice(1), [['ann@a.example', 'Ann', 'Acme', 'Hello']])
  assert.deepEqual([found.suppressed, found.answeredCount], [['bob@b.example'], 1])
})
