import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { showProgress } from './output.ts'

describe('the progress of a start', () => {
  it('is printed in whole lines while the work runs, and not after its end', async () => {
    const lines: string[] = []
    mock.timers.enable({ apis: ['setInterval'] })
    mock.method(console, 'log', (line: string) => lines.push(line))
    const result = await showProgress('Counting', async note => {
      mock.timers.tick(1999)
      note('40 %')
      mock.timers.tick(1999)
      return 7
    })
    mock.timers.tick(10_000)
    mock.restoreAll()
    mock.timers.reset()
    assert.equal(result, 7)
    assert.deepEqual(
      lines.map(line => line.replace(/\d+ s$/, 'N s')),
      ['Counting ...', '  Counting: N s', '  Counting: 40 %, N s'],
    )
  })
})
