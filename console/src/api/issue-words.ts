/** `/steps/1/variants/0/body` is the body of step 2. */
export function issueWords({ path, message }: { path: string; message: string }): string {
  const step = /\/steps\/(\d+)\//.exec(path)?.[1]
  const name = path.split('/').findLast(part => /[a-z]/i.test(part))
  const words = [step && `step ${Number(step) + 1}`, name?.replace(/([A-Z])/g, ' $1').toLowerCase()].filter(Boolean).join(', ')
  return words ? `${words.charAt(0).toUpperCase()}${words.slice(1)}: ${message}` : message
}
