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

test('an error of the service names a time in the format of the user', () => {
  const at = '2026-03-02T14:05:00.000Z'
  assert.equal(
    withTimes(`The campaign was changed at ${at}. Read it again.`),
    `The campaign was changed at ${formatMoment(at, null)}. Read it again.`,
  )
})
