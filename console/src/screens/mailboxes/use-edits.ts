import { useState } from 'react'

export interface Edits<T> {
  /** What is saved, with what was typed over it. */
  value: T
  /** Only the fields that were typed in and differ from what is saved: nothing else is to be sent. */
  changed: Partial<T>
  isDirty: boolean
  set: (typed: Partial<T>) => void
  /** These fields were saved, and this is the mailbox now. What was typed since then stays. */
  settle: (sent: Partial<T>, answered: T) => void
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
const namesOf = <T extends object>(fields: Partial<T>) => Object.keys(fields) as (keyof T)[]

function pick<T extends object>(fields: Partial<T>, isWanted: (name: keyof T) => boolean): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name as keyof T))) as Partial<T>
}

/**
 * What a form with independent fields holds until it is saved. Fields that nobody has typed in follow what is saved, also while others are
 * being changed: so a save never puts back what somebody else has changed meanwhile.
 */
export function useEdits<T extends object>(saved: T): Edits<T> {
  const [edits, setEdits] = useState<Partial<T>>({})
  const changed = pick(edits, name => !isSame(edits[name], saved[name]))
  // A field that is as it is saved is nobody's change any more: from now on it follows again.
  if (namesOf(changed).length < namesOf(edits).length) setEdits(changed)
  const value = { ...saved, ...changed }
  return {
    value,
    changed,
    isDirty: namesOf(changed).length > 0,
    set: typed => {
      const really = pick(typed, name => !isSame(typed[name], value[name]))
      setEdits(before => ({ ...before, ...really }))
    },
    settle: (sent, answered) =>
      setEdits(before => ({ ...before, ...pick(answered, name => name in before && name in sent && isSame(before[name], sent[name])) })),
  }
}
