import type { Joined } from '@overture/sdk'
import { clientFor, keepSessionKey } from './client.ts'

const client = clientFor()

/** The key is kept before anything else is asked, because the cookie alone is not enough. */
async function begin<Begun extends { sessionKey: string }>(asked: PromiseLike<Begun>): Promise<Begun> {
  const begun = await asked
  keepSessionKey(begun.sessionKey)
  return begun
}

export const readIdentity = (signal?: AbortSignal) => client.sessions.getIdentity(signal ? { signal } : {})
export const signInWithCode = (code: string) => begin(client.sessions.create({ code }))
export const signInWithToken = (token: string) => begin(client.sessions.create({}, { headers: { authorization: `Bearer ${token}` } }))
export const acceptInvitation = (code: string, name: string): Promise<Joined> => begin(client.team.acceptInvitation({ code, name }))

export async function signOut(): Promise<void> {
  await client.sessions.signOut()
  keepSessionKey(null)
}
