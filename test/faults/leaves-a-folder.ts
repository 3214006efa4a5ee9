import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'

/** A test that tidies nothing up. With `OVERTURE_TEST_WAITS` it does not even end. */
it('leaves a folder', async () => {
  console.log(`made ${await mkdtemp(join(tmpdir(), 'left-'))}`)
  if (process.env.OVERTURE_TEST_WAITS) await new Promise(() => {})
})
