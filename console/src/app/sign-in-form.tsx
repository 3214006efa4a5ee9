import type { Identity } from '@overture/sdk'
import { type ReactNode, useState } from 'react'
import { isSignedOut } from '@/api/errors.ts'
import { signInWithToken } from '@/api/session.ts'
import { Button } from '@/ui/button.tsx'
import { CodeBlock } from '@/ui/code-block.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { Form } from '@/ui/form.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { DoorTitle, FrontDoor } from './front-door.tsx'

interface SignInFormProps {
  isPending: boolean
  error: unknown
  onSignIn: (signIn: () => Promise<Identity>) => void
  /** Shown while something else than the token of this form is tried. */
  waiting?: ReactNode
  children: ReactNode
}

/** The card that asks for a token, and says how to get a link. */
export function SignInForm({ isPending, error, onSignIn, waiting, children }: SignInFormProps) {
  const [token, setToken] = useState('')
  const submit = () => onSignIn(() => signInWithToken(token.trim()))
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
      {isPending && !token && waiting ? (
        waiting
      ) : (
        <>
          <p className="mt-1 text-soft">{children}</p>
          <Form onSubmit={submit} className="mt-5 flex flex-col gap-4">
            {isSignedOut(error) ? <ErrorNote error={error} title="This does not sign you in" /> : <ErrorNote error={error} />}
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
