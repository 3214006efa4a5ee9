import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ScoredMessage, scoreHints } from './score.ts'

const clean: ScoredMessage = {
  subject: 'A question about Northwind',
  text: 'Hi Mark,\n\nmay I ask you something?\n\n-- \nUnsubscribe:\nhttps://t.example/u/1\n',
  html: null,
  tracking: { opens: false, clicks: false },
  unsubscribe: { way: 'header', url: 'https://t.example/u/1' },
  hasListId: true,
}
const codes = (changes: Partial<ScoredMessage>) => scoreHints({ ...clean, ...changes }).map(({ code }) => code)

test('a plain message has no score hints', () => {
  assert.deepEqual(scoreHints(clean), [])
})

test('each hint names its points, the highest first', () => {
  assert.deepEqual(codes({ tracking: { opens: true, clicks: true } }), ['pixel_on_short_mail'])
  assert.deepEqual(codes({ tracking: { opens: false, clicks: true }, text: `See https://a.example\n${clean.text}` }), ['tracked_links'])
  assert.deepEqual(codes({ html: '<p><a href="https://b.example/x">https://a.example</a></p>' }), ['links_differ'])
  assert.deepEqual(codes({ html: '<p><a href="https://a.example/x">a.example</a></p>' }), [])
  assert.deepEqual(codes({ unsubscribe: { way: 'link', url: 'https://t.example/u/1' }, hasListId: false }), [
    'list_id_missing',
    'one_click_missing',
  ])
  assert.deepEqual(codes({ unsubscribe: { way: 'header', url: 'http://t.example/u/1' } }), ['one_click_missing'])
  assert.deepEqual(codes({ subject: 'ACT NOW FRIEND' }), ['subject_shouts'])
  assert.deepEqual(codes({ text: 'See https://bit.ly/x' }), ['link_shortener'])
  for (const { points, message } of scoreHints({ ...clean, tracking: { opens: true, clicks: true } })) {
    assert.ok(points > 0 && message.endsWith('.'))
  }
})
