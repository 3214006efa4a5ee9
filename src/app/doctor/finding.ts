/** One line of `overture doctor`. */
export interface Finding {
  /** The subject of the check. */
  name: string
  status: 'ok' | 'warn' | 'fail'
  text: string
  /** The command or the setting that fixes it; null when there is nothing to fix. */
  mend: string | null
}

export const ok = (name: string, text: string): Finding => ({ name, status: 'ok', text, mend: null })
export const warn = (name: string, text: string, mend: string): Finding => ({ name, status: 'warn', text, mend })
export const fail = (name: string, text: string, mend: string): Finding => ({ name, status: 'fail', text, mend })

export const wordOf = (error: unknown): string => {
  const { code, message, errors } = error as { code?: string; message?: string; errors?: { message: string }[] }
  // When several addresses were tried, the error is an AggregateError without a message.
  return message || errors?.[0]?.message || code || String(error)
}

/** An error of a check is a finding, too: a check that breaks must not hide the others. */
export async function look(name: string, mend: string, check: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await check()].flat()
  } catch (error) {
    return [fail(name, wordOf(error), mend)]
  }
}
