import type { Identity } from '@overture/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { readIdentity, signInWithCode } from '@/api/session.ts'
import { enter } from '@/data/session.ts'
import { Spinner } from '@/ui/spinner.tsx'
import { useAttempt } from '@/ui/use-attempt.ts'
import { useDocumentTitle } from '@/ui/use-document-title.ts'
import { OtherSession } from './other-session.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** Only a path of our own: an address from elsewhere must not be able to lead somebody away after signing in. */
const safeBack = (back: string | undefined): string => (back && /^\/(?![/\\])/.test(back) && !back.startsWith('/sign-in') ? back : '/')

export function SignIn() {
  useDocumentTitle('Sign in')
  const { code, back } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { isPending, error, attempt } = useAttempt(Boolean(code))
  const usedCode = useRef<string | null>(null)
  const [asked, setAsked] = useState<{ identity: Identity; code: string } | null>(null)

  const signInBy = (signIn: () => Promise<Identity>) =>
    attempt(async () => {
      enter(queries, await signIn())
      await navigate({ href: safeBack(back), replace: true })
    })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a code works once, so it is used once
  useEffect(() => {
    if (!code || usedCode.current === code) return
    usedCode.current = code
    // The code goes out of the address first, so that it stays in no history and in no picture of the screen.
    void navigate({ to: '/sign-in', search: back ? { back } : {}, replace: true })
    void readIdentity().then(
      identity => setAsked({ identity, code }),
      () => signInBy(() => signInWithCode(code)),
    )
  }, [code])

  if (asked) {
    const use = () => {
      setAsked(null)
      void signInBy(() => signInWithCode(asked.code))
    }
    return <OtherSession identity={asked.identity} onStay={() => void navigate({ href: safeBack(back), replace: true })} onUse={use} />
  }

  return (
    <SignInForm
      isPending={isPending}
      error={error}
      onSignIn={signIn => void signInBy(signIn)}
      waiting={
        <p className="mt-2 flex items-center gap-2 text-soft" role="status">
          <Spinner /> One moment …
        </p>
      }
    >
      Open a sign-in link, or paste a token. It is exchanged for a cookie and not kept.
    </SignInForm>
  )
}
