import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { readIdentity } from '@/api/client.ts'
import { enter } from '@/data/session.ts'
import { useAttempt } from '@/data/use-operation.ts'
import { SignInForm } from './front-door.tsx'

/**
 * The session ended while the user was working. The screen below keeps all input, but it cannot be seen, read
 * aloud or reached until they are signed in again.
 */
export function SignInAgain() {
  const queries = useQueryClient()
  const cover = useRef<HTMLDivElement>(null)
  const { isPending, error, attempt } = useAttempt()
  // Remembered before the form takes the focus.
  const [focused] = useState(() => document.activeElement)

  useEffect(() => {
    const covered = [...document.body.children].filter(element => element !== cover.current && !element.hasAttribute('inert'))
    for (const element of covered) element.toggleAttribute('inert', true)
    cover.current?.querySelector('input')?.focus()
    return () => {
      for (const element of covered) element.removeAttribute('inert')
      if (focused instanceof HTMLElement && focused.isConnected) focused.focus()
    }
  }, [focused])

  // Shortcuts listen at the window. Keys that are pressed outside of this form must not reach them either.
  useEffect(() => {
    const keep = (event: KeyboardEvent) => {
      if (!cover.current?.contains(event.target as Node)) event.stopImmediatePropagation()
    }
    addEventListener('keydown', keep, { capture: true })
    return () => removeEventListener('keydown', keep, { capture: true })
  }, [])

  // A sign-in link that is opened in another tab signs in here, too.
  useEffect(() => {
    const look = () =>
      void readIdentity().then(
        identity => enter(queries, identity),
        () => undefined,
      )
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [queries])

  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that are pressed here must not reach the screen below
    <div
      ref={cover}
      tabIndex={-1}
      onKeyDown={event => event.stopPropagation()}
      className="fixed inset-0 z-60 overflow-y-auto bg-ground outline-none"
    >
      <SignInForm isPending={isPending} error={error} onSignIn={signIn => void attempt(async () => enter(queries, await signIn()))}>
        Your session has ended. Sign in to continue. Your input is kept.
      </SignInForm>
    </div>,
    document.body,
  )
}
