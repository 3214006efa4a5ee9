import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainToASCII } from 'node:url'
import { issueWords } from '../../console/src/api/issue-words.ts'
import { misspelledVariables } from '../../console/src/screens/sequence/misspelled-variables.ts'
import { readableAddress } from '../../console/src/ui/address.ts'
import { formatClock, formatMoment, formatRelative, readable, withTimes } from '../../console/src/ui/format.ts'

test('the domain of an address is shown in its own script, not as punycode', () => {
  for (const domain of ['bücher.example', 'straße-köln.example', 'пример.example', '例え.example', 'mañana.co.example', 'ελλάδα.example'])
    assert.equal(readableAddress(`ann@${domainToASCII(domain)}`), `ann@${domain}`)
  assert.equal(readableAddress('ann@plain.example'), 'ann@plain.example')
})

test('a domain that mixes scripts, or is not punycode, is shown unchanged', () => {
  // The first letter is Cyrillic.
  const imitated = domainToASCII('аpple.example')
  assert.equal(readableAddress(imitated), imitated)
  assert.equal(readableAddress('xn--99999999.example'), 'xn--99999999.example')
})

test('a misspelled variable of a template is shown with the intended name', () => {
  const known = ['firstName', 'company', 'jobTitle']
  const found = (text: string) => misspelledVariables(text, known).map(({ written, meant }) => `${written} ${meant}`)
  assert.deepEqual(found('Hi {{ fristName | default: "there" }} at {{compny}}, {{ company }}'), ['fristName firstName', 'compny company'])
  assert.deepEqual(found('{{ firstname }}'), ['firstname firstName'])
  assert.deepEqual(found('{% assign compant = company %}{{ compant }} {{ somethingElse }} firstNam'), [])
})

test('the problem of a field is named in words, not by its path', () => {
  const words = (path: string) => issueWords({ path, message: 'is required' })
  assert.equal(words('/fromName'), 'Sender name: is required')
  assert.equal(words('/steps/1/variants/0/body'), 'Step 2, body: is required')
  assert.equal(words(''), 'is required')
})

test('tomorrow is the next day, and not the next 24 hours', () => {
  const saturday = new Date(2026, 10, 28, 13)
  assert.equal(formatRelative(new Date(2026, 10, 29, 14), saturday), 'tomorrow')
  assert.equal(formatRelative(new Date(2026, 10, 30, 3), saturday), 'in 2 days')
  assert.equal(formatRelative(new Date(2026, 10, 26, 23), saturday), '2 days ago')
})

test('every time in a sentence of the service is shown in the format of the user', () => {
  const text = readable('Between 09:00 and 17:30 each day, missing firstName')
  const [from, until] = [540, 1050].map(formatClock)
  assert.equal(text, `Between ${from} and ${until} each day, missing first name`)
})

test('a time at the end of a clause is shown in the format of the user, and numbers that are no time stay as they are', () => {
  const [from, until] = [40, 1050].map(formatClock)
  assert.equal(readable('open from 00:40, closed at 17:30. (17:30)'), `open from ${from}, closed at ${until}. (${until})`)
  for (const text of ['at 9:05 PM', '550 at 1234-56-78', 'port 25:99', '12:30:15', 'host:12:30']) assert.equal(readable(text), text)
})

test('a template in a sentence of the service stays as it must be typed, and a time zone has no underscore', () => {
  const fix = 'Add a fallback such as {{ firstName | default: "there" }}'
  assert.equal(
    readable(`3 leads have no firstName. ${fix}, in America/New_York.`),
    `3 leads have no first name. ${fix}, in America/New York.`,
  )
})

test('an error of the service names a time in the format of the user', () => {
  const at = '2026-03-02T14:05:00.000Z'
  assert.equal(
    withTimes(`The campaign was changed at ${at}. Read it again.`),
    `The campaign was changed at ${formatMoment(at, null)}. Read it again.`,
  )
  assert.match(withTimes('must not be after 2999-06-01T00:00:00.000Z, when the token expires'), /2999,.*, when the token expires$/)
})
