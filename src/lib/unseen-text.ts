/** Characters that a person does not see, but a model reads, or that reorder text: controls, marks of direction, tags, joiners. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu

/** Whether there is nothing to see: only spaces, controls, and characters that are drawn as nothing, such as U+200B or U+3164. */
export const isBlank = (text: string): boolean => !/[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)

/** The text without the spaces around it; null when there is nothing to see. */
export const visibleText = (text: string | null | undefined): string | null => (text && !isBlank(text) ? text.trim() : null)

/** Lines and tabs stay. */
export const withoutUnseen = (text: string): string => text.replace(UNSEEN, letter => (letter === '\n' || letter === '\t' ? letter : ''))
