import { domainOf, isEmail } from '../../lib/email.ts'
import { foldText } from '../../search/terms/text.ts'
import { type CompanyRead, readCompany } from './company-input.ts'
import { FieldReader, type PersonField, type RawPerson } from './person-fields.ts'
import { readDepartment, readInstant, readSeniority, readStatus, readType, typeOfAddress } from './person-values.ts'
import type { NewPerson } from './schema.ts'
import { rankTitle } from './title-rank.ts'

const PLACE_PARTS = ['city', 'region', 'country'] as const

/** The reason for leaving out a person who was erased. */
export const ERASED = 'erased'

type ReadPerson = { person: NewPerson; unread: PersonField[] } | { rejected: string }

/**
 * Reads a person from a row, or returns the reason why that is not possible. An optional value that cannot be read is left out and listed.
 */
export function readPerson(
  raw: RawPerson,
  companyOf: (raw: RawPerson, emailDomain: string | null) => CompanyRead = readCompany,
): ReadPerson {
  const fields = new FieldReader(raw)
  const email = fields.text('email', 1000)
  if (email !== null && !isEmail(email)) return { rejected: 'email is not an e-mail address' }
  const names = readNames(fields)
  const host = email === null ? null : domainOf(email)
  const emailType = fields.read('emailType', readType) ?? (email === null ? null : typeOfAddress(email, host!))
  const { company, emailDomain, unread } = companyOf(raw, emailType === 'personal' ? null : host)
  fields.unread.push(...unread)
  if (email === null && (names.fullName === null || company === null))
    return { rejected: 'neither an e-mail address nor a name with a company' }

  const title = fields.text('jobTitle', 200)
  const rank = title === null ? { seniority: null, department: null } : rankTitle(title)
  const person: NewPerson = {
    matchKey: email === null ? `#${foldText(names.fullName!)}@${company!.matchKey}` : email.toLowerCase(),
    email,
    emailStatus: email === null ? 'missing' : statusOfAddress(fields),
    emailType,
    lastVerifiedAt: fields.read('lastVerifiedAt', readInstant),
    ...names,
    title,
    seniority: fields.read('seniority', readSeniority) ?? rank.seniority,
    department: fields.read('department', readDepartment) ?? rank.department,
    place: fields.place('location', PLACE_PARTS),
    linkedinUrl: fields.text('linkedinUrl'),
    phone: fields.text('phone', 50),
    company,
    extraDomain: emailDomain !== null && company?.domain != null && emailDomain !== company.domain ? emailDomain : null,
  }
  return { person, unread: fields.unread }
}

function readNames(fields: FieldReader): Pick<NewPerson, 'firstName' | 'lastName' | 'fullName'> {
  const [firstName, lastName, written] = [fields.text('firstName'), fields.text('lastName'), fields.text('fullName')]
  const [first = null, ...further] = written?.split(' ') ?? []
  return {
    firstName: firstName ?? (lastName === null ? first : null),
    lastName: lastName ?? (firstName === null ? further.join(' ') || null : null),
    // A part of a name must not replace a known full name, so the directory combines the parts.
    fullName: written ?? (firstName !== null && lastName !== null ? `${firstName} ${lastName}` : null),
  }
}

/** An address that is there is not missing, whatever the row says. */
function statusOfAddress(fields: FieldReader): NewPerson['emailStatus'] {
  const status = fields.read('emailStatus', readStatus)
  return status === 'missing' ? 'unverified' : status
}
