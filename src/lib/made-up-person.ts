const FIRST = ['Mia', 'Noah', 'Lena', 'Omar', 'Ines', 'Jonas', 'Sofia', 'Elias', 'Clara', 'Theo', 'Nora', 'Paul']
const LAST = ['Berg', 'Costa', 'Dietrich', 'Eriksen', 'Fontaine', 'Garcia', 'Hansen', 'Ivanov', 'Janssen', 'Keller']
const COMPANIES =
  'Lumen Labs, Northwind Foods, Harbor Logistics, Quartz Analytics, Blue Fjord, Atlas Clinics, Verde Energy, Pixel & Pine'.split(', ')

/** The same number gives the same person, for the demo and for rehearsals. */
export const madeUpPerson = (n: number) => ({
  firstName: FIRST[n % FIRST.length]!,
  lastName: LAST[Math.floor(n / FIRST.length) % LAST.length]!,
  company: COMPANIES[n % COMPANIES.length]!,
  jobTitle: 'Head of Operations',
})

/** A domain that is reserved for examples, so that no message to it can reach a real person. */
export const exampleDomain = (company: string): string => `${company.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.example`
