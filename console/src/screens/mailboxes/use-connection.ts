import type { NewProvider, Provider, Verification } from '@overture/sdk'
import { useRef, useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'

const TOUCHED = [['providers'], ['clock']]

/**
 * Creates a mailbox and tries it at once. What failed can be mended and tried again: then the same mailbox is changed,
 * so that no half-connected ones are left behind.
 */
export function useConnection() {
  const { api } = useWorkspace()
  const made = useRef<Provider | null>(null)
  const [verification, setVerification] = useState<Verification | null>(null)
  const connect = useOperation({
    send: async (body: NewProvider, { idempotencyKey }) => {
      const { kind, ...changeable } = body
      // The key of the creation may come again when only the verification was cut off. A change is another request, with another key.
      made.current = made.current
        ? await api.providers.update(made.current.id, changeable, { idempotencyKey: `${idempotencyKey}-update` })
        : await api.providers.create({ kind, ...changeable }, { idempotencyKey })
      return api.providers.startVerification(made.current.id)
    },
    touches: TOUCHED,
    onDone: result => setVerification(result.verification),
    endsOnLeave: true,
  })
  return { ...connect, verification, providerId: made.current?.id ?? null }
}
