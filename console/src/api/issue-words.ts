import { fieldWords, sentence } from '../data/field-words.ts'

/** `/steps/1/variants/0/body` is the body of step 2. */
export function issueWords({ path, message }: { path: string; message: string }): string {
  const step = /\/steps\/(\d+)\//.exec(path)?.[1]
  const name = path.split('/').findLast(part => /[a-z]/i.test(part))
  const words = [step && `step ${Number(step) + 1}`, name && fieldWords([name])].filter(Boolean).join(', ')
  return words ? `${sentence(words)}: ${message}` : message
}
