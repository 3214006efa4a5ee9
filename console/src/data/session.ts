import type { Identity, Overture } from '@overture/sdk'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { readIdentity } from '@/api/client.ts'
import { readRemembered, remember } from '@/ui/store.ts'

/** How soon a change of the role shows, if nothing else asks before: it has no event. */
const ROLE_SHOWS_WITHIN_MS = 60_000

/** The signed-in user and their permissions. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal, client }) => {
    const identity = await readIdentity(signal)
    forgetUnlessSame(client, identity)
    return identity
  },
  staleTime: Number.POSITIVE_INFINITY,
  refetchInterval: ROLE_SHOWS_WITHIN_MS,
  retry: false,
})

const isOfWorkspace = ({ queryKey }: { queryKey: readonly unknown[] }): boolean => queryKey[0] !== sessionQuery.queryKey[0]

/** Drops what is known of a workspace. Keys name no person, so nothing of it may be shown to another. */
export const forgetWorkspace = (queries: QueryClient): void => queries.removeQueries({ predicate: isOfWorkspace })

/** A token without a user is identified by its own id. */
export const personOf = ({ user, token }: Identity): string => user?.id ?? token.id

/** The user who signed in last, even after the session has ended. */
let lastPerson: string | null = null

/** True when this is the person of before, or the first one. Another one sees nothing of what the one before has looked at. */
function forgetUnlessSame(queries: QueryClient, identity: Identity): boolean {
  const person = personOf(identity)
  const isSame = lastPerson === null || lastPerson === person
  if (!isSame) forgetWorkspace(queries)
  lastPerson = person
  return isSame
}

/** Called after every kind of sign-in. The same person continues, and data that may have changed is loaded again. */
export function enter(queries: QueryClient, identity: Identity): void {
  const isSame = forgetUnlessSame(queries, identity)
  queries.setQueryData(sessionQuery.queryKey, identity)
  if (isSame) void queries.invalidateQueries({ predicate: isOfWorkspace })
}

export interface WorkspaceAccess {
  id: string
  name: string
  /** Who looks at it. */
  personId: string
  /** The SDK, for this workspace. */
  api: Overture
  /** The last event before anything else was asked for. */
  lastEventSeq: number
  /** False: the token lacks the scope, so do not offer what needs it. */
  may: (scope: string) => boolean
  /** The same of what is the person's own, in whatever workspace: their tokens and sessions. No role takes that away. */
  mayOwn: (scope: string) => boolean
}

export const WorkspaceContext = createContext<WorkspaceAccess | null>(null)

/** The workspace that is looked at, and the SDK to ask about it. */
export function useWorkspace(): WorkspaceAccess {
  const access = use(WorkspaceContext)
  if (!access) throw new Error('useWorkspace is for what stands inside of the shell.')
  return access
}

const CHOSEN_KEY = 'overture.workspace'

export const rememberedWorkspace = (): string | null => readRemembered(CHOSEN_KEY)

export const chosenWorkspace = <T extends { id: string }>(workspaces: readonly T[], chosen = rememberedWorkspace()): T | undefined =>
  workspaces.find(({ id }) => id === chosen) ?? workspaces[0]

export const rememberWorkspace = (id: string): void => remember(CHOSEN_KEY, id)

/** `*` is everything; `campaigns:write` is meant to include reading nowhere, as in the API. */
export const mayWith =
  (scopes: readonly string[]) =>
  (scope: string): boolean =>
    scopes.includes('*') || scopes.includes(scope)
