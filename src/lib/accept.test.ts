import assert from 'node:assert/strict'
import { it } from 'node:test'
import { acceptedLanguage, languageOfTag, preferredForm } from './accept.ts'

it('a language is recognized by its tag or name only', () => {
  assert.deepEqual(['de', 'de-AT', ' ES_mx ', 'Français', 'english'].map(languageOfTag), ['de', 'de', 'es', 'fr', 'en'])
  assert.deepEqual(['est', 'den', '', null, 7, 'constructor'].map(languageOfTag), Array(6).fill(undefined))
})

it('the preferred language of the browser among ours is chosen, whatever the order', () => {
  assert.equal(acceptedLanguage('pt-BR, de;q=0.3, fr-CA;q=0.8, *;q=0.1'), 'fr')
  assert.equal(acceptedLanguage('en;q=0, es;q=0.1'), 'es')
  assert.equal(acceptedLanguage('ja'), undefined)
  assert.equal(acceptedLanguage(undefined), undefined)
})

it('browsers get a page, programs that ask for JSON get it, and those that accept anything get neither', () => {
  assert.equal(preferredForm('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'), 'html')
  assert.equal(preferredForm('application/json'), 'json')
  assert.equal(preferredForm('application/json, text/html;q=0.2'), 'json')
  assert.equal(preferredForm('text/html;q=0'), null)
  assert.equal(preferredForm('*/*'), null)
  assert.equal(preferredForm(undefined), null)
})
