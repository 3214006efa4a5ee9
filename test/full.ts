/** Whether this is the complete run, `npm run test:all`: every size, corpus and grid, and fresh seeds. `npm test` is quick, and always the same. */
export const isFull = process.env.OVERTURE_TESTS === 'all'

/** For tests that only the complete run needs: `it('...', full, async () => {})`. Each of them has a short sibling that every run has. */
export const full = { skip: isFull ? false : 'only in npm run test:all' }

/** For everything that tests leave to chance: the same in every `npm test`, random in the complete run. Properties of fast-check get it from `setup.ts`. */
export const seed = readSeed()

function readSeed(): number {
  const given = process.env.OVERTURE_TEST_SEED
  if (given !== undefined && !/^\d+$/.test(given)) throw new Error(`OVERTURE_TEST_SEED must be a whole number, and is "${given}".`)
  if (given !== undefined) return Number(given)
  return isFull ? Math.floor(Math.random() * 2 ** 31) : 1
}

/** How many examples of a property are tried: a sixth of them in `npm test`, where they are the same each time. */
export const examples = (count: number): number => (isFull ? count : Math.ceil(count / 6))
