/** Lower case without accents, straight quotes, single spaces: the spelling of the word files. */
export function normalizeText(text: string): string {
  return (
    text
      .toLowerCase()
      .replaceAll('ß', 'ss')
      // Marks are removed before and after, because normalizing a long run of them takes quadratic time.
      .replace(/\p{M}+/gu, '')
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      .replace(/[\u2018\u2019\u00b4`]/g, "'")
      .replace(/[^\S\n]+/g, ' ')
  )
}
