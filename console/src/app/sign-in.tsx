import type { Identity } from '@overture/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { readIdentity, signInWithCode } from '@/api/client.ts'
import { isSignedOut } from '@/api/errors.ts'
import { chosenWorkspace, enter } from '@/data/session.ts'
import { useAttempt } from '@/data/use-operation.ts'
import { Button, Spinner } from '@/ui/button.tsx'
import { useDocumentTitle } from '@/ui/page.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { toast } from '@/ui/toast.tsx'
import { DoorTitle, FrontDoor, SignInForm } from './front-door.tsx'

/** Accepts only paths of the console, so that a foreign URL cannot redirect the user after the sign-in. */
const safeBack = (back: string | undefined): string => (back && /^\/(?![/\\\s])/.test(back) && !back.startsWith('/sign-in') ? back : '/')

export function SignIn() {
  useDocumentTitle('Sign in')
  const { code, back } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { isPending, error, attempt } = useAttempt(Boolean(code))
  const usedCode = useRef<string | null>(null)
  const [asked, setAsked] = useState<{ identity: Identity; code: string } | null>(null)
  const [unread, setUnread] = useState<string | null>(null)

  const go = () => navigate({ href: safeBack(back), replace: true })
  const signInBy = (signIn: () => Promise<Identity>) =>
    attempt(async () => {
      enter(queries, await signIn())
      await go()
    })
  /** Anyone can send a link of their own, so the message names the account. */
  const followLink = async (link: string) => {
    const identity = await signInWithCode(link)
    enter(queries, identity)
    const workspace = chosenWorkspace(identity.workspaces)
    toast.done(`Signed in as ${identity.user?.name ?? identity.token.name}${workspace ? ` in ${workspace.name}` : ''}`)
    await go()
  }
  /** Skips the question only if the server confirms that no user is signed in. */
  const look = (link: string) =>
    attempt(async () => {
      setUnread(link)
      const identity = await readIdentity().catch(cause => {
        if (isSignedOut(cause)) return null
        throw cause
      })
      setUnread(null)
      if (identity) setAsked({ identity, code: link })
      else await followLink(link)
    })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a code works only once
  useEffect(() => {
    if (!code || usedCode.current === code) return
    usedCode.current = code
    // The code is removed from the URL first, so that it is in no history and on no screenshot.
    void navigate({ to: '/sign-in', search: back ? { back } : {}, replace: true })
    void look(code)
  }, [code])

  if (asked) {
    const use = () => {
      setAsked(null)
      void attempt(() => followLink(asked.code))
    }
    return <OtherSession identity={asked.identity} onStay={() => void go()} onUse={use} />
  }
  if (unread && error) {
    return (
      <FrontDoor>
        <DoorTitle>Sign in</DoorTitle>
        <p className="mt-1 mb-5 text-soft">Overture could not check whether you are signed in. Your link was not used.</p>
        <ErrorNote error={error} className="mb-4" />
        <Button variant="primary" size="lg" onClick={() => void look(unread)}>
          Try again
        </Button>
      </FrontDoor>
    )
  }

  return (
    <SignInForm
      isPending={isPending}
      error={error}
      onSignIn={signIn => void signInBy(signIn)}
      waiting={
        <p className="mt-2 flex items-center gap-2 text-soft" role="status">
          <Spinner /> Signing in…
        </p>
      }
    >
      Open your sign-in link, or paste your token. Overture does not store the token in this browser.
    </SignInForm>
  )
}

type OtherSessionProps = { identity: Identity; onStay: () => void; onUse: () => void }

/** An attacker can send their own link. Without the question, the user would then work in the workspace of the attacker. */
export function OtherSession({ identity: { user, token }, onStay, onUse }: OtherSessionProps) {
  return (
    <FrontDoor>
      <DoorTitle>You are already signed in</DoorTitle>
      <p className="mt-1 text-soft">
        You are signed in as <strong>{user ? `${user.name} (${user.email})` : token.name}</strong>. This link may open another account. Use
        it only if you requested it. Otherwise, your changes would go to someone else's account.
      </p>
      <div className="mt-5 flex flex-wrap gap-2">
        <Button variant="primary" size="lg" onClick={onStay} autoFocus>
          Stay signed in
        </Button>
        <Button size="lg" onClick={onUse}>
          Use the link
        </Button>
      </div>
    </FrontDoor>
  )
}
