/** Lower case without accents, straight quotes, single spaces: what the words of all four languages are written in. */
export function foldText(text: string): string {
  return (
    text
      .toLowerCase()
      .replaceAll('ß', 'ss')
      // Before as well as after: to bring a long run of them into order takes the square of its length.
      .replace(/\p{M}+/gu, '')
      .normalize('NFD')
      .replace(/\p{M}+/gu, '')
      .replace(/[\u2018\u2019\u00b4`]/g, "'")
      .replace(/[^\S\n]+/g, ' ')
  )
}
