import { OperationFailed, type Verification, type VerificationOperation, type VerificationProgress } from '@overture/sdk'
import { useCallback, useState } from 'react'
import { useWorkspace } from '@/data/session.ts'

const LOOK_MS = 200
const NOTHING_YET: VerificationProgress = { stages: [], running: [] }

/** Tries a mailbox, and says how far that is while it runs. `progress` is null when nothing is tried. */
export function useVerification() {
  const { api } = useWorkspace()
  const [progress, setProgress] = useState<VerificationProgress | null>(null)
  const verify = useCallback(
    async (providerId: string, options?: { idempotencyKey: string }): Promise<Verification> => {
      setProgress(NOTHING_YET)
      try {
        const { id } = await api.providers.startVerification(providerId, options)
        for (;;) {
          const operation = (await api.operations.get(id)) as VerificationOperation
          if (operation.status === 'failed') throw new OperationFailed(operation)
          if (operation.result) return operation.result.verification
          setProgress(operation.progress ?? NOTHING_YET)
          await new Promise(resolve => setTimeout(resolve, LOOK_MS))
        }
      } finally {
        setProgress(null)
      }
    },
    [api],
  )
  return { progress, verify }
}
