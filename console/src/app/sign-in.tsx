import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { signInWithCode, signInWithToken } from '@/api/session.ts'
import { sessionQuery } from '@/data/session.ts'
import { Button } from '@/ui/button.tsx'
import { CodeBlock } from '@/ui/code-block.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { Spinner } from '@/ui/spinner.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { useAttempt } from '@/ui/use-attempt.ts'
import { useDocumentTitle } from '@/ui/use-document-title.ts'
import { DoorTitle, FrontDoor } from './front-door.tsx'

/** Only a path of our own: an address from elsewhere must not be able to lead somebody away after signing in. */
const safeBack = (back: string | undefined): string => (back && /^\/(?![/\\])/.test(back) && !back.startsWith('/sign-in') ? back : '/')

export function SignIn() {
  useDocumentTitle('Sign in')
  const { code, back } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [token, setToken] = useState('')
  const { isPending, error, attempt } = useAttempt(Boolean(code))
  const usedCode = useRef<string | null>(null)

  const enter = (signIn: () => Promise<unknown>) =>
    attempt(async () => {
      const identity = await signIn()
      queries.clear()
      queries.setQueryData(sessionQuery.queryKey, identity as never)
      await navigate({ href: safeBack(back), replace: true })
    })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a code works once, so it is used once
  useEffect(() => {
    if (!code || usedCode.current === code) return
    usedCode.current = code
    // The code goes out of the address first, so that it stays in no history and in no picture of the screen.
    void navigate({ to: '/sign-in', search: back ? { back } : {}, replace: true })
    void enter(() => signInWithCode(code))
  }, [code])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    void enter(() => signInWithToken(token.trim()))
  }

  return (
    <FrontDoor
      below={
        <div className="mt-5 text-faint text-xs">
          <p className="mb-1.5">A link for yourself, on the machine that Overture runs on:</p>
          <CodeBlock code="npm run overture -- console-link" />
        </div>
      }
    >
      <DoorTitle>Sign in</DoorTitle>
      {isPending && !token ? (
        <p className="mt-2 flex items-center gap-2 text-soft" role="status">
          <Spinner /> One moment …
        </p>
      ) : (
        <>
          <p className="mt-1 text-soft">Open a sign-in link, or paste a token. It is exchanged for a cookie and not kept.</p>
          <form onSubmit={submit} className="mt-5 flex flex-col gap-4">
            <ErrorNote error={error} />
            <Field label="Token">
              <Input
                type="password"
                autoComplete="off"
                spellCheck={false}
                placeholder="ovr_pat_…"
                value={token}
                onChange={event => setToken(event.target.value)}
                className="h-9 font-mono"
                required
                autoFocus
              />
            </Field>
            <Button type="submit" variant="primary" size="lg" pending={isPending} disabled={token.trim() === ''}>
              Sign in
            </Button>
          </form>
        </>
      )}
    </FrontDoor>
  )
}
