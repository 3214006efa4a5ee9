import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Turns } from './turns.ts'

/** Pieces of work that end one after the other, each when the test says so. */
function workshop(turns: Turns) {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const order = (owner: string, name = owner) =>
    turns.run(owner, async () => {
      begun.push(name)
      await new Promise<void>(resolve => ends.push(resolve))
    })
  const endOne = async () => {
    ends.shift()!()
    await new Promise(setImmediate)
  }
  return { begun, order, endOne }
}

describe('work of several owners', () => {
  it('is taken in turns: a single item is next, however many another owner has waiting', async () => {
    const { begun, order, endOne } = workshop(new Turns(2))
    for (let n = 0; n < 150; n++) void order('flood')
    void order('neighbor')
    void order('other')
    void order('neighbor', 'again')
    for (let n = 0; n < 6; n++) await endOne()
    assert.deepEqual(begun, ['flood', 'flood', 'flood', 'neighbor', 'other', 'flood', 'again', 'flood'])
  })

  it('of one owner runs in its order, and never more at once than there is room for', async () => {
    const { begun, order, endOne } = workshop(new Turns(2))
    for (let n = 0; n < 5; n++) void order('one', String(n))
    assert.deepEqual(begun, ['0', '1'])
    for (let n = 0; n < 5; n++) await endOne()
    assert.deepEqual(begun, ['0', '1', '2', '3', '4'])
    void order('one', 'after')
    assert.equal(begun.at(-1), 'after', 'the places are free again')
  })

  it('of one owner never takes the place that is kept for the others', async () => {
    const { begun, order, endOne } = workshop(new Turns(2, { perOwner: 1 }))
    for (let n = 0; n < 3; n++) void order('flood')
    void order('neighbor')
    void order('other')
    assert.deepEqual(begun, ['flood', 'neighbor'])
    for (let n = 0; n < 3; n++) await endOne()
    assert.deepEqual(begun, ['flood', 'neighbor', 'flood', 'other', 'flood'])
  })

  it('that returns on its own: the next free place goes to the refused owner with less', async () => {
    let nowMs = 0
    const turns = new Turns(2, { nowMs: () => nowMs })
    const ends: (() => void)[] = []
    const attempt = (owner: string) => turns.tryRun(owner, () => new Promise<string>(resolve => ends.push(() => resolve(owner))))
    const first = attempt('flood')
    void attempt('flood')
    assert.equal(await attempt('flood'), null)
    assert.equal(await attempt('neighbor'), null, 'no room')
    ends.shift()!()
    assert.equal(await first, 'flood')
    assert.equal(await attempt('flood'), null, 'it is the turn of the neighbor')
    void attempt('neighbor')
    assert.equal(ends.length, 2)
    ends.shift()!()
    await new Promise(setImmediate)
    nowMs += 10_000
    void attempt('neighbor')
    assert.equal(ends.length, 2, 'an owner that does not come back is not waited for')
  })

  it('that fails makes room for the next', async () => {
    const turns = new Turns(1)
    await assert.rejects(turns.run('a', () => Promise.reject(new Error('broken'))))
    assert.equal(await turns.run('a', async () => 'next'), 'next')
  })
})
