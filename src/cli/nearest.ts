/** The edit distance: the number of letters to change, add or remove. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at)
  for (let at = 1; at <= left.length; at++) {
    const next = [at]
    for (let to = 1; to <= right.length; to++) {
      const change = row[to - 1]! + (left[at - 1] === right[to - 1] ? 0 : 1)
      next.push(Math.min(row[to]! + 1, next[to - 1]! + 1, change))
    }
    row = next
  }
  return row[right.length]!
}

/** For the end of an error about a name that does not exist: the name that was most likely meant. */
export function suggestion(written: string, names: readonly string[], prefix = ''): string {
  const meant = nearest(written, names)
  return meant === undefined ? '' : ` Did you mean ${prefix}${meant}?`
}

/** The name that was most likely meant; undefined when none is close. */
function nearest(written: string, names: readonly string[]): string | undefined {
  // Very long texts are not compared, because the time grows with the product of the lengths.
  const asked = written.slice(0, 64).toLowerCase()
  const ranked = names.map(name => ({ name, far: distance(asked, name.toLowerCase()) })).sort((left, right) => left.far - right.far)
  const best = ranked[0]
  return best && best.far <= Math.max(2, Math.floor(asked.length / 3)) ? best.name : undefined
}
