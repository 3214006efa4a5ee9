import type { Identity, Overture } from '@overture/sdk'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { readIdentity } from '@/api/client.ts'
import { readRemembered, remember } from '@/ui/store.ts'

/** How soon a change of the role shows without an event stream. If there is one, the service ends it, and the console opens it again. */
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

/** Drops all data of the workspace. Query keys do not name the person, so the data must not be shown to another one. */
export const forgetWorkspace = (queries: QueryClient): void => queries.removeQueries({ predicate: isOfWorkspace })

/** A token without a user is identified by its own id. */
export const personOf = ({ user, token }: Identity): string => user?.id ?? token.id

/** The user who signed in last, even after the session has ended. */
let lastPerson: string | null = null

/** Drops the data of the previous person. True if this is the same person, or the first one. */
function forgetUnlessSame(queries: QueryClient, identity: Identity): boolean {
  const person = personOf(identity)
  const isSame = lastPerson === null || lastPerson === person
  if (!isSame) forgetWorkspace(queries)
  lastPerson = person
  return isSame
}

/** Called after every kind of sign-in. If the same person continues, data that may have changed is loaded again. */
export function enter(queries: QueryClient, identity: Identity): void {
  const isSame = forgetUnlessSame(queries, identity)
  queries.setQueryData(sessionQuery.queryKey, identity)
  if (isSame) void queries.invalidateQueries({ predicate: isOfWorkspace })
}

export interface WorkspaceAccess {
  id: string
  name: string
  personId: string
  /** The SDK for this workspace. */
  api: Overture
  /** The last event before any data was loaded. */
  lastEventSeq: number
  /** If false, the token lacks the scope. Do not offer actions that need it. */
  may: (scope: string) => boolean
  /** The same for the tokens and sessions of the person, which no role takes away. */
  mayOwn: (scope: string) => boolean
}

export const WorkspaceContext = createContext<WorkspaceAccess | null>(null)

/** The current workspace with its SDK. */
export function useWorkspace(): WorkspaceAccess {
  const access = use(WorkspaceContext)
  if (!access) throw new Error('useWorkspace works only inside of the shell.')
  return access
}

const CHOSEN_KEY = 'overture.workspace'

export const rememberedWorkspace = (): string | null => readRemembered(CHOSEN_KEY)

export const chosenWorkspace = <T extends { id: string }>(workspaces: readonly T[], chosen = rememberedWorkspace()): T | undefined =>
  workspaces.find(({ id }) => id === chosen) ?? workspaces[0]

export const rememberWorkspace = (id: string): void => remember(CHOSEN_KEY, id)

/** `*` includes every scope. As in the API, `campaigns:write` does not include `campaigns:read`. */
export const mayWith =
  (scopes: readonly string[]) =>
  (scope: string): boolean =>
    scopes.includes('*') || scopes.includes(scope)
