/** "1 lead", "2 leads": for nouns that take an s. */
export const many = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
