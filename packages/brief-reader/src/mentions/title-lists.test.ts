import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isRead } from '../../corpus/corpus.ts'
import { readBrief } from '../read-brief.ts'

/** A rank that is said once is the rank of every function of its list, whatever the language, the number and the order. */

interface Titles {
  ranks: readonly string[]
  functions: readonly string[]
  and: string
  where: string
}

const LANGUAGES: Record<string, Titles> = {
  English: {
    ranks: ['head of', 'heads of', 'director of', 'directors of', 'VP of', 'VPs of'],
    functions: [
      'sales',
      'marketing',
      'finance',
      'procurement',
      'logistics',
      'production',
      'quality',
      'product',
      'compliance',
      'engineering',
    ],
    and: 'and',
    where: 'in Berlin',
  },
  German: {
    ranks: ['Leiter', 'Leiterin', 'Leiterinnen', 'Leitung', 'Direktor', 'Direktoren'],
    functions: [
      'Einkauf',
      'Logistik',
      'Produktion',
      'Vertrieb',
      'Marketing',
      'Personal',
      'Controlling',
      'Instandhaltung',
      'IT',
      'Qualität',
    ],
    and: 'und',
    where: 'in Berlin',
  },
  French: {
    ranks: ['responsable', 'responsables', 'directeur', 'directrice', 'directeurs'],
    functions: ['achats', 'logistique', 'production', 'marketing', 'qualité', 'maintenance', 'communication', 'développement durable'],
    and: 'et',
    where: 'à Paris',
  },
  Spanish: {
    ranks: ['responsable de', 'responsables de', 'director de', 'directores de', 'jefe de', 'jefes de', 'gerentes de'],
    functions: ['compras', 'formación', 'logística', 'producción', 'ventas', 'marketing', 'calidad', 'mantenimiento'],
    and: 'y',
    where: 'en Madrid',
  },
}

const titlesOf = (brief: string): string[] => (readBrief(brief).filters.jobTitles?.include ?? []).toSorted()

describe('a list of functions after one rank', () => {
  for (const [language, { ranks, functions, and, where }] of Object.entries(LANGUAGES)) {
    it(`applies the rank to each of them in ${language}`, () => {
      const lost: string[] = []
      for (const [turn, rank] of ranks.entries()) {
        const alone = new Map(functions.map(name => [name, titlesOf(`${rank} ${name} ${where}`)]))
        for (const [name, titles] of alone) if (titles.length !== 1) lost.push(`${rank} ${name}: ${titles}`)
        for (const [row, first] of functions.entries()) {
          for (const [column, second] of functions.entries()) {
            if (first === second || !isRead(turn + row + column, 6)) continue
            const listed = titlesOf(`${rank} ${first} ${and} ${second} ${where}`)
            const expected = [...alone.get(first)!, ...alone.get(second)!].toSorted()
            if (listed.join() !== expected.join()) lost.push(`${rank} ${first} ${and} ${second}: ${listed} instead of ${expected}`)
          }
        }
      }
      assert.deepEqual(lost, [])
    })
  }
})

describe('the composition of a title', () => {
  const TITLES: Record<string, readonly string[]> = {
    'Director Supply Chain in Berlin': ['supply chain director'],
    'VP Supply Chain; Director Supply Chain; Berlin': ['supply chain director', 'vp supply chain'],
    'Manager HR, Berlin': ['hr manager'],
    'VP visitor experience in Berlin': ['vp visitor experience'],
    'Dir. of Distribution, Berlin': ['distribution director'],
    'it-leiter in Berlin': ['head of it'],
    'Ltr. Einkauf, Berlin': ['head of procurement'],
    'Einkaufs- und Marketingleiter in Berlin': ['head of marketing', 'head of procurement'],
    'resp. QHSE à Paris': ['qhse manager'],
    'directeurs et responsables marketing à Paris': ['marketing director', 'marketing manager'],
    'responsable régional logistique à Paris': ['regional logistics manager'],
    'Gte. de ventas, Madrid': ['sales manager'],
    'jefe/a de compras en Madrid': ['head of procurement'],
    'director adjunto de calidad en Madrid': ['deputy quality director'],
    'devs backend senior en Madrid': ['senior backend developer'],
    'staff + principal backend engineers in Berlin': ['principal backend engineer', 'staff backend engineer'],
    'directors and managers of visitor experience in Berlin': ['visitor experience director', 'visitor experience manager'],
    'directors and heads of visitor experience in Berlin': ['director', 'head of visitor experience'],
    'wellness managers in Berlin': ['wellness manager'],
    'fractional CFOs in Berlin': ['fractional cfo'],
    'hospitality manager, DTC manager; Berlin': ['dtc manager', 'hospitality manager'],
    'foreign rights director or city engineer, Berlin': ['city engineer', 'foreign rights director'],
    'franchise development managers in Berlin': ['franchise development manager'],
    'Fleet + logistics managers in Berlin': ['fleet manager', 'logistics manager'],
    '"SENCO" or "safeguarding lead", Berlin': ['safeguarding lead', 'senco'],
    'viticulturist or vineyard manager, Berlin': ['vineyard manager', 'viticulturist'],
    'CMOs (medical, not marketing!) in Berlin': ['chief medical officer'],
    'CPO (people) in Berlin': ['chief people officer'],
    'gerentes de fazenda y jefes de hatchery en Madrid': ['farm manager', 'hatchery manager'],
    'directoras/es de marketing en Madrid': ['marketing director'],
    'Leitung WEG-Verwaltung in Berlin': ['head of property management'],
    'Leiter Tiefbauamt in Berlin': ['head of tiefbauamt'],
    'data engs and maint mgrs in Berlin': ['data engineer', 'maintenance manager'],
    'board members and chairs of banks in Berlin': ['board member', 'chair'],
  }
  for (const [brief, titles] of Object.entries(TITLES))
    it(`is complete in "${brief}"`, () => {
      assert.deepEqual(titlesOf(brief), titles)
      assert.deepEqual(readBrief(brief).unmatched, [])
    })
})

describe('an industry in front of a rank', () => {
  const read = (brief: string) => {
    const { jobTitles, seniorities, industries } = readBrief(brief).filters
    return [jobTitles?.include, seniorities?.include, industries?.include]
  }

  it('belongs to the title if other companies are named, or the rank is repeated', () => {
    assert.deepEqual(read('insurance managers at shipping companies'), [['insurance manager'], undefined, ['maritime']])
    assert.deepEqual(read('telecom directors, finance directors'), [['telecom director', 'finance director'], undefined, undefined])
  })

  it('is otherwise the industry of the companies', () => {
    assert.deepEqual(read('fintech directors in London'), [undefined, ['director'], ['fintech']])
    assert.deepEqual(read('restaurant owners in London'), [undefined, ['owner'], ['restaurants']])
    assert.deepEqual(read("directeurs d'EHPAD à Lyon"), [undefined, ['director'], ['senior-care']])
    assert.deepEqual(read('GCs and home builders, estimators')[0], ['estimator'])
  })
})

describe('a department before its titles', () => {
  const TOLD = [
    'who runs payroll? payroll manager',
    'people who run payroll: payroll managers',
    'the people who handle payroll - payroll manager',
  ]
  for (const brief of TOLD)
    it(`is replaced by them in "${brief}"`, () => {
      assert.deepEqual(readBrief(brief).filters, { jobTitles: { include: ['payroll manager'] } })
    })

  it('is kept without a title, and is not an industry next to one', () => {
    assert.deepEqual(readBrief('who runs payroll at hotels in Atlanta').filters.departments, { include: ['hr'] })
    const { departments, industries } = readBrief('Entscheider aus der Logistik bei Brauereien').filters
    assert.deepEqual([departments?.include, industries?.include], [['supply_chain'], ['wine-spirits']])
  })
})

describe('words that a title must not contain', () => {
  const REFUSED: Record<string, readonly string[]> = {
    'software engineers in Berlin, NOT contractors': ['contractor'],
    'CFOs in Berlin (not the fractional kind)': ['fractional'],
    'CFOs in Berlin, no interim ones': ['interim'],
    'CFOs in Berlin, nobody with deputy or coordinator in the title': ['coordinator', 'deputy'],
    'CFOs in Berlin. Titles must not contain assistant or acting.': ['acting', 'assistant'],
  }
  for (const [brief, titles] of Object.entries(REFUSED))
    it(`are excluded by "${brief}"`, () => {
      const { jobTitles, industries } = readBrief(brief).filters
      assert.deepEqual([jobTitles?.exclude?.toSorted(), industries], [titles, undefined])
    })

  it('keep contractors as a trade in a brief about construction', () => {
    const { filters } = readBrief('CFOs at construction companies in Berlin, no general contractors')
    assert.equal(filters.jobTitles?.exclude, undefined)
  })
})

describe('the noun of a title', () => {
  const titles: Record<string, string[]> = {
    'bar and restaurant managers in Leeds': ['bar manager', 'restaurant manager'],
    'Fleet + logistics managers in Leeds': ['fleet manager', 'logistics manager'],
    'mechanical or electrical engineers in Leeds': ['electrical engineer', 'mechanical engineer'],
    'donor and alumni relations officers in Leeds': ['alumni relations officer', 'donor relations officer'],
    'wind and solar engineers in Leeds': ['solar engineer', 'wind engineer'],
    'directors or heads of logistics in Leeds': ['head of logistics', 'logistics director'],
    'marketing and sales interns in Leeds': ['marketing intern', 'sales intern'],
    'banks and software engineers in Leeds': ['software engineer'],
  }
  for (const [brief, expected] of Object.entries(titles))
    it(`belongs to all joined words before it: ${brief}`, () => assert.deepEqual(titlesOf(brief), expected))
})

describe('a title in one German word', () => {
  const titles: Record<string, string> = {
    Chefaktuare: 'chief actuary',
    Chefentwickler: 'chief developer',
    Seniorberater: 'senior consultant',
    'Leiter Filialvertrieb': 'head of branch sales',
    'Leiter Energiemanagement': 'head of energy management',
    Gefahrgutbeauftragte: 'dangerous goods officer',
    Marketingpraktikanten: 'marketing intern',
  }
  for (const [brief, expected] of Object.entries(titles))
    it(`is put together from its parts: ${brief}`, () => assert.deepEqual(titlesOf(`${brief} in Berlin`), [expected]))
})

it('a rank or a role after an abbreviation or an industry is refused as one title', () => {
  const refused = (brief: string) => readBrief(`CFOs in Oslo, no ${brief}`).filters
  for (const title of ['kyc engineer', 'textile manager', 'finance intern']) {
    const { jobTitles, companies, industries, seniorities } = refused(`${title.replace('kyc', 'KYC')}s`)
    assert.deepEqual([jobTitles?.exclude, companies, industries, seniorities], [[title], undefined, undefined, undefined], title)
  }
  assert.deepEqual(refused('contractors please').jobTitles?.exclude, ['contractor'])
})
