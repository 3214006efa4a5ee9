export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export const stringLiteral = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

const literal = (value: unknown): string =>
  typeof value === 'string'
    ? stringLiteral(value)
    : value instanceof File
      ? `await readFile(${stringLiteral(value.name)})`
      : JSON.stringify(value)

/** The names and arguments of the call, in their order. Empty options at the end are left out. */
export function writeCall(call: (overture: never) => unknown): string {
  let text = 'overture'
  const recorder: object = new Proxy(() => {}, {
    get: (_, name) => {
      text += `.${String(name)}`
      return recorder
    },
    apply: (_, __, args) => {
      const given = args.map(literal)
      while (given.at(-1) === '{}') given.pop()
      text += `(${given.join(', ')})`
      return recorder
    },
  })
  call(recorder as never)
  return text
}
