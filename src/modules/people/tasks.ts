import { pick } from '../../lib/pick.ts'
import { type OperationTasks, transactionTask } from '../../operations/tasks.ts'
import { mergeIntoDirectory } from './people.ts'
import { ERASED, type PersonField, type RawPerson, readPerson } from './person-input.ts'
import { DirectoryImport, DirectoryImportResult, type DirectoryPerson, type NewPerson } from './schema.ts'

const SHOWN = 100

export const directoryTasks: OperationTasks = {
  'directory.import': transactionTask(DirectoryImport, DirectoryImportResult, async (tx, ctx, { workspaceId, input }) => {
    const { people, source } = input
    const taken: NewPerson[] = []
    const indexes: number[] = []
    const rejected: { index: number; reason: string }[] = []
    const unread: { index: number; field: PersonField }[] = []
    people.forEach((person, index) => {
      const result = readPerson(rawOf(person))
      if ('rejected' in result) {
        rejected.push({ index, reason: result.rejected })
        return
      }
      taken.push(result.person)
      indexes.push(index)
      for (const field of result.unread) unread.push({ index, field })
    })
    const batch = { source: source ?? 'api', now: ctx.clock.now(), secrets: ctx.secrets, workspaceId }
    const { erased, ...merged } = await mergeIntoDirectory(tx, taken, batch)
    for (const position of erased) rejected.push({ index: indexes[position]!, reason: ERASED })
    rejected.sort((a, b) => a.index - b.index)
    return { ...merged, rejectedCount: rejected.length, rejected: rejected.slice(0, SHOWN), unread: unread.slice(0, SHOWN) }
  }),
}

/** The values as text, as in every other source, so that the same rules read all of them. */
function rawOf({ company = {}, ...person }: DirectoryPerson): RawPerson {
  const values: Partial<Record<PersonField, string | number | null | undefined>> = {
    ...person,
    company: company.name,
    companyDomain: company.website,
    ...pick(company, 'industry', 'founded', 'fundingStage', 'fundedAt'),
    employees: company.employees ?? company.size,
    companyLocation: company.location,
    revenue: money(company.revenue, company.revenueCurrency),
    fundingTotal: money(company.fundingTotal, company.fundingCurrency),
    technologies: company.technologies?.join(';'),
    tags: company.tags?.join(';'),
    companyDescription: company.description,
  }
  return Object.fromEntries(Object.entries(values).flatMap(([field, value]) => (value == null ? [] : [[field, String(value)]])))
}

const money = (amount: number | null | undefined, currency: string | null | undefined): string | null =>
  amount == null ? null : `${amount} ${currency ?? 'USD'}`
