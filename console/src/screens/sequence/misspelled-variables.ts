/** Variables of a template that do not exist, with the probably intended name. */
export function misspelledVariables(text: string, known: readonly string[]): { written: string; meant: string }[] {
  const assigned = new Set([...text.matchAll(/\{%-?\s*(?:assign|capture|for)\s+(\w+)/g)].map(([, name]) => name))
  const written = new Set([...text.matchAll(/\{\{-?\s*([A-Za-z_]\w*)\s*(?=[|}-])/g)].map(([, name]) => name!))
  return [...written]
    .filter(name => !known.includes(name) && !assigned.has(name))
    .flatMap(name => {
      const [nearest] = known
        .map(meant => ({ meant, distance: distanceOf(name.toLowerCase(), meant.toLowerCase()) }))
        .filter(({ meant, distance }) => distance <= (meant.length < 5 ? 1 : 2))
        .sort((a, b) => a.distance - b.distance)
      return nearest ? [{ written: name, meant: nearest.meant }] : []
    })
}

/** The edit distance: how many letters must be changed, added, removed or swapped with the next one. */
function distanceOf(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row.push(
        Math.min(
          rows[i - 1]![j]! + 1,
          row[j - 1]! + 1,
          rows[i - 1]![j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1),
          isSwapped ? rows[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    rows.push(row)
  }
  return rows.at(-1)!.at(-1)!
}
