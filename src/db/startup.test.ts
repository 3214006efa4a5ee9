import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { retryConnecting } from './startup.ts'

const refused = (code: string) => Object.assign(new Error(`refused with ${code}`), { code })

describe('a step at the start of a process', () => {
  it('is repeated until PostgreSQL accepts a connection, and reports once that it waits', async () => {
    const answers = [
      refused('53300'),
      refused('57P03'),
      new Error('Connection terminated due to connection timeout'),
      new Error('timeout expired'),
      null,
    ]
    const told: string[] = []
    const step = async () => {
      const answer = answers.shift()
      if (answer) throw answer
      return 'opened'
    }
    assert.equal(await retryConnecting(step, error => told.push(error.message)), 'opened')
    assert.deepEqual(told, ['refused with 53300'])
  })

  it('fails at once for any other reason', async () => {
    let tries = 0
    const step = async () => {
      tries++
      throw refused('28P01')
    }
    await assert.rejects(
      retryConnecting(step, () => {}),
      { code: '28P01' },
    )
    assert.equal(tries, 1)
  })
})
