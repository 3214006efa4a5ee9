import { useWorkspace } from './session.ts'
import { useAnswer } from './use-answer.ts'

/** The name of the person or the key with this id, for the words after "by"; undefined if it is not known here. */
export type NameOf = (actorId: string | undefined) => string | undefined

/** Names the people of the workspace and, for those who may see them, its keys. */
export function useActorNames(): NameOf {
  const { personId } = useWorkspace()
  const team = useAnswer(['team', 'names'], async (api, options) => (await api.team.list({ limit: 100 }, options)).data, {
    scope: 'team:read',
  })
  const keys = useAnswer(['api-keys', 'names'], async (api, options) => (await api.apiKeys.list({ limit: 100 }, options)).data, {
    scope: 'tokens:read',
  })
  return actorId => {
    if (actorId === personId) return 'you'
    return team.data?.find(({ user }) => user.id === actorId)?.user.name ?? keys.data?.find(({ id }) => id === actorId)?.name
  }
}
