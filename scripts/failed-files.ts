import type { TestEvent } from 'node:test/reporters'

/** A reporter that names the files in which a test failed, one per line. */
// biome-ignore lint/style/noDefaultExport: the test runner takes a reporter as a default export
export default async function* failedFiles(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const named = new Set<string>()
  for await (const { type, data } of source) {
    if (type !== 'test:fail' || data.file === undefined || named.has(data.file)) continue
    named.add(data.file)
    yield `${data.file}\n`
  }
}
