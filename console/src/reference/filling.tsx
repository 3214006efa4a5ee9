import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import type { Filling } from './calls.ts'
import type { ExampleLanguage } from './examples.ts'

interface Choices extends Filling {
  language: ExampleLanguage
  setLanguage(language: ExampleLanguage): void
  setToken(token: string): void
  setValue(name: string, value: string): void
}

const Context = createContext<Choices | null>(null)

/** What the reader has filled in. It is kept in memory and nowhere else: a token that is stored is a token that is found. */
export function FillingProvider({ children }: { children: ReactNode }) {
  const [token, setToken] = useState('')
  const [values, setValues] = useState<Record<string, string>>({})
  const [language, setLanguage] = useState<ExampleLanguage>('curl')
  const choices = useMemo<Choices>(
    () => ({
      origin: location.origin,
      token: token.trim() || null,
      values,
      language,
      setLanguage,
      setToken,
      setValue: (name, value) => setValues(before => ({ ...before, [name]: value.trim() })),
    }),
    [token, values, language],
  )
  return <Context value={choices}>{children}</Context>
}

export const useFilling = (): Choices => useContext(Context)!
