/** Lower case without accents, straight quotes, single spaces: what the words of all four languages are written in. */
export function normalizeText(text: string): string {
  return (
    text
      .toLowerCase()
      .replaceAll('ß', 'ss')
      // Marks are removed before and after: normalizing a long run of them takes time in the square of its length.
      .replace(/\p{M}+/gu, '')
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      .replace(/[\u2018\u2019\u00b4`]/g, "'")
      .replace(/[^\S\n]+/g, ' ')
  )
}
