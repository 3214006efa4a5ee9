/** The kinds of tests by the folder of their files, in the order in which they start: those that take longest and wait most come first. */
const FOLDERS = {
  faults: 'test/faults/',
  console: 'test/console/',
  journeys: 'test/journeys/',
  contract: 'test/contract/',
  cli: 'test/cli/',
  sdk: 'packages/sdk/',
  packages: 'packages/',
  unit: '',
}

export const KINDS = Object.keys(FOLDERS)

export const kindOf = (file: string): string => Object.entries(FOLDERS).find(([, folder]) => file.startsWith(folder))![0]

/** The tests that are also checks: `npm test` runs them once, as checks. */
export const LAWS = ['import-law', 'table-writers', 'unused-exports'].map(name => `test/contract/${name}.test.ts`)

/** The checks of `npm run check`: a program and its arguments. */
export const CHECKS: Record<string, string[]> = {
  biome: ['node_modules/.bin/biome', 'check', '--error-on-warnings'],
  types: tsc('.'),
  'types of the console': tsc('console'),
  'import law, table writers, unused exports': [process.execPath, '--test', '--test-isolation=none', '--test-reporter=dot', ...LAWS],
  'generated files': [process.execPath, 'scripts/generate.ts', '--check'],
}

/** One thread takes half of the processor time of four, which all read the same libraries. */
function tsc(project: string): string[] {
  const info = `node_modules/.cache/${project === '.' ? 'root' : project}.tsbuildinfo`
  return ['node_modules/.bin/tsc', '--noEmit', '--singleThreaded', '-p', project, '--incremental', '--tsBuildInfoFile', info]
}

/** The table of CONTRIBUTING.md. */
export function describeCommands(): string {
  const rows = [
    ['npm run check', `Reads the sources: ${Object.keys(CHECKS).join(', ')}.`],
    ['npm test', `\`npm run check\` and the tests of every kind: ${KINDS.join(', ')}. Long tests are left out.`],
    ['npm run test:all', 'All tests, with a new random seed. `-- --kind=journeys` runs one kind.'],
  ]
  return ['| command | what it does |', '|---|---|', ...rows.map(([command, text]) => `| \`${command}\` | ${text} |`)].join('\n')
}
