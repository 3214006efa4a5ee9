import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useState } from 'react'
import type { Filling } from './calls.ts'
import type { Endpoint } from './document.ts'
import type { ExampleLanguage } from './examples.ts'

/** The token, and the ids of this operation: whatever is filled in here stands in the examples, also in those of others. */
export function FillIn({ endpoint }: { endpoint: Endpoint }) {
  const { token, values, setToken, setValue } = useFilling()
  const id = useId()
  const names = endpoint.parameters.filter(parameter => parameter.in === 'path').map(parameter => parameter.name)
  const problem = useWorkspaceOf(token, values.workspaceId, workspaceId => setValue('workspaceId', workspaceId))
  if (endpoint.isPublic) return null
  return (
    <details className="rounded-lg border border-line bg-panel">
      <summary className="cursor-pointer rounded-lg px-3 py-2 font-medium text-sm">
        Fill in your token{token ? <span className="ml-2 font-normal text-good text-xs">filled in</span> : null}
      </summary>
      <div className="flex flex-col gap-2.5 border-line border-t p-3">
        <label htmlFor={`${id}-token`} className="flex flex-col gap-1 text-soft text-xs">
          Token
          <input
            id={`${id}-token`}
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder="ovr_…"
            defaultValue={token ?? ''}
            onChange={event => setToken(event.target.value)}
            className="field-box field-text h-8 px-2.5 font-mono"
          />
        </label>
        {names.map(name => (
          <label key={name} htmlFor={`${id}-${name}`} className="flex flex-col gap-1 text-soft text-xs">
            {name}
            <input
              id={`${id}-${name}`}
              spellCheck={false}
              autoComplete="off"
              value={values[name] ?? ''}
              placeholder="as in the example"
              onChange={event => setValue(name, event.target.value)}
              className="field-box field-text h-8 px-2.5 font-mono"
            />
          </label>
        ))}
        <p className="text-faint text-xs">
          {problem ?? 'Kept in memory until you leave the page. Never stored, and sent only to this service.'}
        </p>
      </div>
    </details>
  )
}

/** Finds the workspace of the token, so that the user need not look up the id. Returns the problem of the token, if there is one. */
function useWorkspaceOf(token: string | null, known: string | undefined, tell: (workspaceId: string) => void): string | null {
  const [problem, setProblem] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another token is a reason to ask
  useEffect(() => {
    setProblem(null)
    if (!token || token.length < 20) return
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const headers = { authorization: `Bearer ${token}` }
        const answer = await fetch('/v1/workspaces?limit=1', { headers, credentials: 'omit', signal: controller.signal })
        const body = (await answer.json()) as { data?: { id: string }[]; error?: { message: string } }
        if (body.error) setProblem(body.error.message)
        else if (!known && body.data?.[0]) tell(body.data[0].id)
      } catch {
        // The user typed on, or the service does not respond. The examples are filled in anyway.
      }
    }, 300)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [token])
  return problem
}

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
