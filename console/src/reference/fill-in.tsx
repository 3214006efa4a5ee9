import { type ComponentProps, createContext, type ReactNode, useContext, useEffect, useId, useMemo, useState } from 'react'
import type { Filling } from './calls.ts'
import type { Endpoint } from './document.ts'
import type { ExampleLanguage } from './examples.ts'

/** Fields for the token and for the ids of this operation. The examples of all operations use the values. */
export function FillIn({ endpoint }: { endpoint: Endpoint }) {
  const { token, values, setToken, setValue } = useFilling()
  const names = endpoint.parameters.filter(parameter => parameter.in === 'path').map(parameter => parameter.name)
  const problem = useWorkspaceOf(token, values.workspaceId, workspaceId => setValue('workspaceId', workspaceId))
  if (endpoint.isPublic) return null
  return (
    <details className="rounded-lg border border-line bg-panel">
      <summary className="cursor-pointer rounded-lg px-3 py-2 font-medium text-sm">
        Fill in your token{token ? <span className="ml-2 font-normal text-good text-xs">filled in</span> : null}
      </summary>
      <div className="flex flex-col gap-2.5 border-line border-t p-3">
        <Blank
          name="Token"
          type="password"
          placeholder="ovr_…"
          defaultValue={token ?? ''}
          onChange={event => setToken(event.target.value)}
        />
        {names.map(name => (
          <Blank
            key={name}
            name={name}
            value={values[name] ?? ''}
            placeholder="as in the example"
            onChange={event => setValue(name, event.target.value)}
          />
        ))}
        <p className="text-faint text-xs">
          {problem ?? 'Kept in memory until you leave the page. Never stored, and sent only to this service.'}
        </p>
      </div>
    </details>
  )
}

function Blank({ name, ...rest }: ComponentProps<'input'> & { name: string }) {
  const id = useId()
  return (
    <label htmlFor={id} className="flex flex-col gap-1 text-soft text-xs">
      {name}
      <input {...rest} id={id} autoComplete="off" spellCheck={false} className="field-box field-text h-8 px-2.5 font-mono" />
    </label>
  )
}

/** Finds the workspace of the token, so that the user does not have to look up its id. Returns the problem with the token, if there is one. */
function useWorkspaceOf(token: string | null, known: string | undefined, tell: (workspaceId: string) => void): string | null {
  const [problem, setProblem] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another token needs another request
  useEffect(() => {
    setProblem(null)
    if (!token || token.length < 20) return
    const controller = new AbortController()
    const timer = setTimeout(async () => {
      try {
        const headers = { authorization: `Bearer ${token}` }
        const response = await fetch('/v1/workspaces?limit=1', { headers, credentials: 'omit', signal: controller.signal })
        const body = (await response.json()) as { data?: { id: string }[]; error?: { message: string } }
        if (body.error) setProblem(body.error.message)
        else if (!known && body.data?.[0]) tell(body.data[0].id)
      } catch {
        // The user is still typing, or the service did not respond. The examples are filled in anyway.
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

/** The values that the reader has entered. They are kept only in memory, because others could find a stored token. */
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
