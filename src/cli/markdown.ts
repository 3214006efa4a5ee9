/** Longer than any run of the same mark in the text, so that the text cannot end it. */
const marksAround = (text: string, least: number): string =>
  '`'.repeat(Math.max(least, ...(text.match(/`+/g) ?? []).map(run => run.length + 1)))

/** A name from a stranger in a line of Markdown: as code, it cannot be a heading, link, picture or mention. */
export function codeSpan(text: string): string {
  const marks = marksAround(text, 1)
  const room = /^`|`$|^ .* $/.test(text) ? ' ' : ''
  return `${marks}${room}${text}${room}${marks}`
}

/** The same for several lines, as a block. */
export function codeBlock(lines: readonly string[], language = ''): string {
  const marks = marksAround(lines.join('\n'), 3)
  return [`${marks}${language}`, ...lines, marks].join('\n')
}
