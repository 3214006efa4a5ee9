import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RawPerson, rankTitle, readPerson } from './person-input.ts'

function read(raw: RawPerson) {
  const result = readPerson({ email: 'a@firm.com', ...raw })
  assert.ok('person' in result)
  return result
}

test('level and department are derived from a title in four languages, or left empty', () => {
  const expected: Record<string, [string | null, string | null]> = {
    'Head of Marketing': ['head', 'marketing'],
    'VP Sales': ['vp', 'sales'],
    'Vice President of Engineering': ['vp', 'engineering'],
    'Co-Founder & CTO': ['founder', 'engineering'],
    'Chief Financial Officer': ['c_suite', 'finance'],
    'Senior Software Engineer': ['senior', 'engineering'],
    'Marketing Manager': ['manager', 'marketing'],
    'Director of Human Resources': ['director', 'hr'],
    Geschäftsführerin: ['c_suite', null],
    'Leiter Einkauf': ['head', 'procurement'],
    'Directeur Commercial': ['director', 'sales'],
    'Responsable Marketing': ['manager', 'marketing'],
    'Jefe de Ventas': ['head', 'sales'],
    'Werkstudentin Marketing': ['intern', 'marketing'],
    Beekeeper: [null, null],
  }
  for (const [title, [seniority, department]] of Object.entries(expected))
    assert.deepEqual(rankTitle(title), { seniority, department }, title)
})

test('company sizes are exact or buckets, as in the file', () => {
  const sizes: Record<string, [number | null, string | null]> = {
    '120': [120, '51-200'],
    '51-200': [null, '51-200'],
    '1,001 - 5,000 employees': [null, '1001-5000'],
    '10001+': [null, '10001+'],
    '10,000+': [null, '5001-10000'],
    '1.200': [1200, '1001-5000'],
    '100 to 300': [null, '51-200'],
    many: [null, null],
  }
  for (const [text, [employees, size]] of Object.entries(sizes)) {
    const { person, unread } = read({ employees: text })
    assert.deepEqual([person.company!.employees, person.company!.size], [employees, size], text)
    assert.deepEqual(unread, text === 'many' ? ['employees'] : [])
  }
})

test('amounts keep their currency', () => {
  const amounts: Record<string, [number | null, string | null]> = {
    '12.5M EUR': [12_500_000, 'EUR'],
    '$3 million': [3_000_000, 'USD'],
    '1,000,000': [1_000_000, 'USD'],
    '€ 2 Mrd': [2_000_000_000, 'EUR'],
    unknown: [null, null],
  }
  for (const [text, [amount, currency]] of Object.entries(amounts)) {
    const { company } = read({ revenue: text }).person
    assert.deepEqual([company!.revenue, company!.revenueCurrency], [amount, currency], text)
  }
})

test('places get names and codes of the gazetteer, or the nearest known place', () => {
  const place = (raw: RawPerson) => {
    const found = read(raw).person.place
    return found && [found.country, found.region, found.city]
  }
  assert.deepEqual(place({ city: 'München', country: 'Germany' }), ['DE', 'DE-BY', 'Munich'])
  assert.deepEqual(place({ city: 'Austin', region: 'TX', country: 'United States' }), ['US', 'US-TX', 'Austin'])
  assert.deepEqual(place({ location: 'Paris, France' })!.slice(0, 1), ['FR'])
  assert.deepEqual(place({ city: 'Nowhereville', country: 'France' }), ['FR', null, null])
  assert.equal(place({ location: 'the cloud' }), null)
  assert.deepEqual(read({ location: 'the cloud' }).unread, ['location'])
})

test('industries are recognized by slug, label and common names', () => {
  for (const text of ['software', 'Software', 'softwareunternehmen'])
    assert.equal(read({ industry: text }).person.company!.industry, 'software', text)
  assert.equal(read({ industry: 'Management consulting' }).person.company!.industry, 'management-consulting')
  assert.deepEqual(read({ industry: 'underwater basket weaving' }).unread, ['industry'])
})

test('an address has a type, and a free mail address says nothing about the company', () => {
  const typeOf = (email: string) => read({ email }).person
  assert.equal(typeOf('info@firm.com').emailType, 'role')
  assert.equal(typeOf('Rechnung+x@firm.com').emailType, 'role')
  assert.equal(typeOf('jane@firm.com').emailType, 'work')
  assert.equal(typeOf('jane@gmail.com').emailType, 'personal')
  assert.equal(typeOf('jane@gmail.com').company, null)
  assert.equal(typeOf('jane@mail.firm.co.uk').company!.domain, 'firm.co.uk')
  assert.equal(read({ emailStatus: 'Catch-All' }).person.emailStatus, 'accept_all')
  assert.equal(read({ emailStatus: 'Valid' }).person.emailStatus, 'verified')
  for (const bad of ['invalid', 'Bounced', 'do_not_mail', 'DO-NOT-EMAIL', 'Undeliverable'])
    assert.equal(read({ emailStatus: bad }).person.emailStatus, 'invalid', bad)
  assert.deepEqual(read({ emailStatus: 'purple' }).unread, ['emailStatus'])
})

test('a status that is no word for one is unread, also if every object has a field of its name', () => {
  for (const emailStatus of ['constructor', '__proto__', 'perhaps']) {
    const { person, unread } = read({ emailStatus })
    assert.deepEqual([person.emailStatus, unread], [null, ['emailStatus']], emailStatus)
  }
})
