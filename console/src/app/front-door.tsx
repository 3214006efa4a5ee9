import type { Identity } from '@overture/sdk'
import { type ReactNode, useState } from 'react'
import { signInWithToken } from '@/api/client.ts'
import { isSignedOut } from '@/api/errors.ts'
import { Button } from '@/ui/button.tsx'
import { CodeBlock } from '@/ui/copy.tsx'
import { Field, Form, Input } from '@/ui/field.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { Logo } from './logo.tsx'

/** The page for users who are not signed in: one centered card. */
export function FrontDoor({ children, below }: { children: ReactNode; below?: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="rise w-full max-w-sm">
        <div className="mb-6 flex justify-center">
          <Logo />
        </div>
        <div className="rounded-2xl border border-line bg-panel p-6 shadow-low">{children}</div>
        {below}
      </div>
    </main>
  )
}

export function DoorTitle({ children }: { children: ReactNode }) {
  return <h1 className="font-semibold text-lg tracking-tight">{children}</h1>
}

interface SignInFormProps {
  isPending: boolean
  error: unknown
  onSignIn: (signIn: () => Promise<Identity>) => void
  /** Replaces the form while a sign-in link is checked. */
  waiting?: ReactNode
  children: ReactNode
}

/** The card that asks for a token and explains how to get a sign-in link. */
export function SignInForm({ isPending, error, onSignIn, waiting, children }: SignInFormProps) {
  const [token, setToken] = useState('')
  const submit = () => onSignIn(() => signInWithToken(token.trim()))
  return (
    <FrontDoor
      below={
        <div className="mt-5 text-faint text-xs">
          <p className="mb-1.5">To get a sign-in link, run this on the server:</p>
          <CodeBlock code="npm run overture -- console-link" />
        </div>
      }
    >
      <DoorTitle>Sign in</DoorTitle>
      {isPending && !token && waiting ? (
        waiting
      ) : (
        <>
          <p className="mt-1 text-soft">{children}</p>
          <Form onSubmit={submit} className="mt-5 flex flex-col gap-4">
            <ErrorNote error={error} {...(isSignedOut(error) ? { title: token ? 'Invalid token' : 'This link does not work' } : {})} />
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
          </Form>
        </>
      )}
    </FrontDoor>
  )
}
