import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReplyClass } from '#reply-reader'
import { refineReply } from './tasks.ts'

test('a model can refine a reply but cannot undo an opt-out, a bounce or an automatic reply, and can fail', async () => {
  const neutral = { subject: 'Re: Quick question', text: 'Hm, let me see what the others say about it.' }
  const byRules: ReplyClass = { kind: 'neutral', confidence: 0.6 }
  const say = (answer: unknown) => async () => answer
  assert.equal((await refineReply(neutral, byRules, say({ kind: 'positive', confidence: 0.99 }))).kind, 'positive')
  assert.equal((await refineReply(neutral, byRules, say({ kind: 'opt_out', confidence: 0.1 }))).kind, 'opt_out')
  for (const bad of [null, {}, { kind: 'bounce', confidence: 1 }, { kind: 'positive', confidence: 7 }, 'positive']) {
    assert.deepEqual(await refineReply(neutral, byRules, say(bad)), byRules)
  }
  assert.deepEqual(await refineReply(neutral, byRules, () => Promise.reject(new Error('down'))), byRules)
  for (const kind of ['opt_out', 'bounce', 'auto_reply'] as const) {
    let asked = false
    const kept = await refineReply(neutral, { kind, confidence: 0.5 }, async () => {
      asked = true
      return { kind: 'positive', confidence: 1 }
    })
    assert.deepEqual([kept.kind, asked], [kind, false])
  }
})
