import type { TestEvent } from 'node:test/reporters'

/** A reporter that names the files in which a test failed, one per line. A group of files has a suite for each, which is named after it. */
// biome-ignore lint/style/noDefaultExport: the test runner takes a reporter as a default export
export default async function* failedFiles(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type === 'test:fail' && data.nesting === 0) yield `${data.name}\n`
  }
}
