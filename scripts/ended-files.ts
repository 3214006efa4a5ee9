import type { TestEvent } from 'node:test/reporters'

/** A reporter that says how each test file ended, one per line. A group of files has a suite for each, which is named after it. */
// biome-ignore lint/style/noDefaultExport: the test runner takes a reporter as a default export
export default async function* endedFiles(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if ((type === 'test:fail' || type === 'test:pass') && data.nesting === 0)
      yield `${type === 'test:pass' ? 'passed' : 'failed'} ${data.name}\n`
  }
}
