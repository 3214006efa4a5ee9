/** Characters that a person does not see, but a model reads, or that reorder text: controls, marks of direction, tags, joiners. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu

/** Lines and tabs stay. */
export const withoutUnseen = (text: string): string => text.replace(UNSEEN, letter => (letter === '\n' || letter === '\t' ? letter : ''))
