import { clientFor } from './client.ts'

const client = clientFor()

export const readIdentity = (signal?: AbortSignal) => client.sessions.getIdentity(signal ? { signal } : {})
export const signInWithCode = (code: string) => client.sessions.create({ code })
export const signInWithToken = (token: string) => client.sessions.create({}, { headers: { authorization: `Bearer ${token}` } })
export const signOut = () => client.sessions.signOut()
