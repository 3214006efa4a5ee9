import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TECHNOLOGIES } from '../../../lead-terms/src/index.ts'
import { readBrief } from '../read-brief.ts'
import { tokenize } from '../text/tokens.ts'
import { readEntries } from '../vocabulary/word-files.ts'

const technologies = (brief: string) => readBrief(brief).filters.technologies
const wanted = (...include: string[]) => ({ include })
const refused = (...exclude: string[]) => ({ exclude })

describe('technologies in use', () => {
  it('is a product, listed or not, with or without a capital', () => {
    for (const [brief, expected] of [
      ['fleet managers in Ohio, use samsara', wanted('samsara')],
      ['dispatchers in Ohio running acmeroute or globexo', wanted('acmeroute', 'globexo')],
      ['construction project managers in Denver, they are on acmebuild usually', wanted('acmebuild')],
      ['recruiters in Leeds, greenhouse or lever as ATS', wanted('greenhouse', 'lever')],
      ['controllers at dental practices, on sage or quickbooks still', wanted('sage', 'quickbooks')],
      ['data engineers in Chicago who touch dbt + snowflake', wanted('dbt', 'snowflake')],
      ['office managers at law firms on clio, Toronto', wanted('clio')],
      ['ops leads in Leeds, their ERP is katana', wanted('katana')],
      ['gerentes en Bogotá que usan sap business one o siigo', wanted('sap-business-one', 'siigo')],
      ['jefes de almacén en Valencia que trabajan con acmestock', wanted('acmestock')],
      ['Werkstattleiter in Hessen, die mit Acmera arbeiten', wanted('acmera')],
      ['Geschäftsführer in Hamburg, die Acmesped nutzen', wanted('acmesped')],
      ['DAF à Lyon, entreprises qui tournent sous Acmecompta', wanted('acmecompta')],
      ['restaurateurs à Nîmes utilisant zelty ou innovorder', wanted('zelty', 'innovorder')],
    ] as const)
      assert.deepEqual(technologies(brief), expected, brief)
  })

  it('is refused with its users', () => {
    for (const [brief, expected] of [
      ['CFOs in Ohio, no Samsara users', refused('samsara')],
      ['CFOs in Ohio not on Acmesoft', refused('acmesoft')],
      ['HR-Leiter in Bremen, die nicht mit Rexx arbeiten', refused('rexx')],
      ['DRH qui ne travaillent pas avec Cegid', refused('cegid')],
      ['directores que no trabajan con holded', refused('holded')],
    ] as const)
      assert.deepEqual(technologies(brief), expected, brief)
  })

  it('is not an everyday word', () => {
    for (const brief of [
      'CFOs in Ohio using contractors',
      'CFOs in Ohio on LinkedIn',
      'project managers in Ohio who work on site',
      'builders in Kent that use timber and brick',
      'Bauleiter in Köln, die mit Holz arbeiten',
      'gérants à Paris qui travaillent avec des freelances',
      'gerentes en Lima que usan energía renovable',
      'CFOs in Ohio. Use common sense',
    ])
      assert.equal(technologies(brief), undefined, brief)
  })

  it('is not required if it only may be used', () => {
    for (const brief of ['CFOs in Ohio. If they use SAP that is fine', 'CFOs in Ohio, bonus if Klaviyo']) {
      assert.equal(technologies(brief), undefined, brief)
      assert.match(readBrief(brief).unmatched.join(' '), /SAP|Klaviyo/, brief)
    }
    assert.deepEqual(technologies('CFOs in Ohio. If they are on Zendesk leave them out.'), refused('zendesk'))
  })

  it('is wanted even if its maker is refused', () => {
    for (const [brief, technology, company] of [
      ['CFOs at companies on Salesforce, just not Salesforce the company', 'salesforce', 'Salesforce'],
      ['Companies using Stripe in Ireland, but not Stripe itself. CFOs', 'stripe', 'Stripe'],
      ['IT-Leiter, SAP-Anwender, aber nicht SAP selbst', 'sap', 'SAP'],
    ] as const) {
      const { filters } = readBrief(brief)
      assert.deepEqual([filters.technologies, filters.companies], [wanted(technology), refused(company)], brief)
    }
  })
})

describe('The list of products', () => {
  it('has only products that the technologies lack, in normalized spelling', () => {
    const names = readEntries('products.txt').flatMap(([, each]) => each.map(name => name.replace(/\?$/, '')))
    const asRead = (name: string) =>
      tokenize(name)
        .map(token => (token.kind === 'word' ? token.word : token.text))
        .join(' ')
    assert.deepEqual(
      names.filter(name => asRead(name) !== name || TECHNOLOGIES.has(name.replaceAll(' ', '-')) || name.length > 50),
      [],
    )
  })
})
