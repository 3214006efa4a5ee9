import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { threadSubject } from './matching.ts'

describe('the subject of a thread', () => {
  it('is the same with any reply prefixes, in any language and repeated', () => {
    for (const front of [
      '',
      'Re: ',
      'RE:',
      'AW: ',
      'Antw: ',
      'SV: ',
      'Re[2]: ',
      'Fwd: Re: ',
      'WG: AW: ',
      'TR : ',
      'RV: ',
      'Odp: ',
      'Re：',
      'Antwort: ',
      '回复：',
      '返信: ',
      'Отв: ',
      'Ynt: ',
      'VÁ: ',
      '[EXTERNAL] Re: ',
      'Re: [External Sender] ',
      '[EXT]: AW: ',
    ]) {
      assert.equal(threadSubject(`${front}A question for Ann`), 'A question for Ann', front)
    }
  })

  it('keeps words that only look like a prefix', () => {
    for (const subject of ['Research: a question', 'Reply to us', 'Are: you there?', '[Webinar] Join us', 'External: what it means'])
      assert.equal(threadSubject(subject), subject)
  })

  it('is normalized idempotently', () => {
    fc.assert(fc.property(fc.string(), subject => assert.equal(threadSubject(threadSubject(subject)), threadSubject(subject))))
  })
})
