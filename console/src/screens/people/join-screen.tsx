import type { Joined } from '@overture/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { acceptInvitation, clientFor } from '@/api/client.ts'
import { isSignedOut } from '@/api/errors.ts'
import { DoorTitle, FrontDoor } from '@/app/front-door.tsx'
import { rememberWorkspace, sessionQuery } from '@/data/session.ts'
import { useAttempt } from '@/data/use-operation.ts'
import { Button, Spinner } from '@/ui/button.tsx'
import { CodeBlock } from '@/ui/copy.tsx'
import { Field, Form, Input } from '@/ui/field.tsx'
import { useDocumentTitle } from '@/ui/page.tsx'
import { ErrorNote } from '@/ui/states.tsx'

const api = clientFor()

/** The target of an invitation link. New users enter their name. Signed-in users join with their account. */
export function JoinScreen() {
  useDocumentTitle('Join')
  const search = useSearch({ from: '/join' })
  const navigate = useNavigate()
  // The code is removed from the URL immediately, so that it stays in no history and on no screenshot.
  const [code] = useState(search.code)
  useEffect(() => {
    if (search.code) void navigate({ to: '/join', search: {}, replace: true })
  }, [search.code, navigate])
  const { data: identity, error, isPending } = useQuery(sessionQuery)
  const [joined, setJoined] = useState<Joined | null>(null)
  return (
    <FrontDoor>
      {joined ? (
        <Welcome joined={joined} />
      ) : !code ? (
        <>
          <DoorTitle>Incomplete link</DoorTitle>
          <p className="mt-1 text-soft">Copy the whole invitation link and open it again.</p>
        </>
      ) : isPending && !error ? (
        <p className="flex items-center gap-2 text-soft" role="status">
          <Spinner /> Loading…
        </p>
      ) : identity?.user ? (
        <JoinAs code={code} name={identity.user.name} email={identity.user.email} />
      ) : error && !isSignedOut(error) ? (
        <ErrorNote error={error} />
      ) : (
        <Introduce code={code} onJoined={setJoined} />
      )}
    </FrontDoor>
  )
}

/** After every join, the new workspace is selected. */
function useArrival() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (workspaceId: string) => {
    rememberWorkspace(workspaceId)
    queries.clear()
    await navigate({ to: '/', replace: true })
  }
}

function Introduce({ code, onJoined }: { code: string; onJoined: (joined: Joined) => void }) {
  const [name, setName] = useState('')
  const { isPending, error, attempt } = useAttempt()
  const submit = () => attempt(async () => onJoined(await acceptInvitation(code, name.trim())))
  return (
    <>
      <DoorTitle>You are invited</DoorTitle>
      <p className="mt-1 text-soft">Enter your name to join.</p>
      <Form onSubmit={submit} className="mt-5 flex flex-col gap-4">
        <ErrorNote error={error} {...(isSignedOut(error) ? { title: 'This link does not work' } : {})} />
        <Field label="Your name" help="Your team sees this name.">
          <Input value={name} onValueChange={setName} autoComplete="name" className="h-9" required autoFocus />
        </Field>
        <Button type="submit" variant="primary" size="lg" pending={isPending} disabled={!name.trim()}>
          Join workspace
        </Button>
      </Form>
      <p className="mt-4 text-faint text-xs">
        Already have an account?{' '}
        <Link to="/sign-in" search={{ back: `/join?code=${code}` }} className="text-accent-ink underline">
          Sign in
        </Link>{' '}
        to join with it.
      </p>
    </>
  )
}

function JoinAs({ code, name, email }: { code: string; name: string; email: string }) {
  const arrive = useArrival()
  const { isPending, error, attempt } = useAttempt()
  const join = () => attempt(async () => arrive((await api.team.join({ code })).workspaceId))
  return (
    <>
      <DoorTitle>You are invited</DoorTitle>
      <p className="mt-1 text-soft">
        You are signed in as {name} ({email}). Overture adds the workspace to your account.
      </p>
      <div className="mt-5 flex flex-col gap-4">
        <ErrorNote error={error} />
        <Button variant="primary" size="lg" pending={isPending} onClick={() => void join()}>
          Join workspace
        </Button>
        <Link to="/" className="text-center text-faint text-xs hover:text-ink">
          Not now
        </Link>
      </div>
    </>
  )
}

function Welcome({ joined }: { joined: Joined }) {
  const arrive = useArrival()
  return (
    <>
      <DoorTitle>
        Welcome, <bdi>{joined.member.user.name}</bdi>
      </DoorTitle>
      <p className="mt-1 mb-4 text-soft">
        You are signed in. Save your token now. You need it to sign in again and to use the API. Overture shows it only once.
      </p>
      <CodeBlock code={joined.token} />
      <Button variant="primary" size="lg" className="mt-4 w-full" onClick={() => void arrive(joined.workspaceId)}>
        Done. Open the console
      </Button>
    </>
  )
}
