import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proposeFilters } from '../propose.ts'

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

const titlesOf = (brief: string): string[] => (proposeFilters(brief).filters.jobTitles?.include ?? []).toSorted()

describe('a list of functions behind one rank', () => {
  for (const [language, { ranks, functions, and, where }] of Object.entries(LANGUAGES)) {
    it(`has the rank for each of them in ${language}`, () => {
      const lost: string[] = []
      for (const rank of ranks) {
        const alone = new Map(functions.map(name => [name, titlesOf(`${rank} ${name} ${where}`)]))
        for (const [name, titles] of alone) if (titles.length !== 1) lost.push(`${rank} ${name}: ${titles}`)
        for (const first of functions) {
          for (const second of functions) {
            if (first === second) continue
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
