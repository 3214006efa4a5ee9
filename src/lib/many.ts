/** "10,000". */
export const digits = (count: number): string => count.toLocaleString('en-US')

/** "1 lead", "2 leads", "3 mailboxes": for nouns that take an s or, after an x, es. */
export const many = (count: number, one: string): string => `${digits(count)} ${one}${count === 1 ? '' : one.endsWith('x') ? 'es' : 's'}`
