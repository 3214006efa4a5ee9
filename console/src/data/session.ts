import type { Overture } from '@overture/sdk'
import { queryOptions } from '@tanstack/react-query'
import { createContext, use } from 'react'
import { readIdentity } from '@/api/session.ts'

/** Who is signed in. Asked once; what ends a session says so by itself. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => readIdentity(signal),
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
})

export interface WorkspaceAccess {
  id: string
  name: string
  /** The SDK, for this workspace. */
  api: Overture
  /** False: the token lacks the scope, so do not offer what needs it. */
  may: (scope: string) => boolean
}

export const WorkspaceContext = createContext<WorkspaceAccess | null>(null)

/** The workspace that is looked at, and the SDK to ask about it. */
export function useWorkspace(): WorkspaceAccess {
  const access = use(WorkspaceContext)
  if (!access) throw new Error('useWorkspace is for what stands inside of the shell.')
  return access
}

const CHOSEN_KEY = 'overture.workspace'

export function chosenWorkspace<T extends { id: string }>(workspaces: readonly T[]): T | undefined {
  let chosen: string | null = null
  try {
    chosen = localStorage.getItem(CHOSEN_KEY)
  } catch {
    // Without storage it is the first.
  }
  return workspaces.find(workspace => workspace.id === chosen) ?? workspaces[0]
}

export function rememberWorkspace(id: string): void {
  try {
    localStorage.setItem(CHOSEN_KEY, id)
  } catch {
    // It holds until the page is left.
  }
}

/** `*` is everything; `campaigns:write` is meant to include reading nowhere, as in the API. */
export const mayWith =
  (scopes: readonly string[]) =>
  (scope: string): boolean =>
    scopes.includes('*') || scopes.includes(scope)
