import { OvertureError, type Suppression } from '@overture/sdk'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { ConfirmDialog } from '@/ui/confirm-dialog.tsx'
import { formatCount, formatNoun } from '@/ui/format.ts'
import { CloseIcon } from '@/ui/icons.tsx'

const AT_ONCE = 4

/** Lifts the suppressions that are chosen, each as an operation of its own: what was lifted before one failed stays lifted. */
export function LiftSuppressions({ chosen, onDone }: { chosen: readonly Suppression[]; onDone: () => void }) {
  const { api } = useWorkspace()
  // Those that were chosen when the question was asked: while they are lifted, they leave the list and so the choice.
  const [asked, setAsked] = useState<readonly Suppression[] | null>(null)
  const [liftedCount, setLiftedCount] = useState(0)
  const lift = useOperation({
    send: async (ids: string[], { idempotencyKey }) => {
      setLiftedCount(0)
      const waiting = [...ids]
      const work = async (): Promise<void> => {
        for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
          await api.suppressions.delete(id, { idempotencyKey: `${idempotencyKey}-${id}` }).catch(leaveGone)
          setLiftedCount(count => count + 1)
        }
      }
      // After a failure nothing more is begun.
      const stop = (error: unknown) => {
        waiting.length = 0
        throw error
      }
      await Promise.all(Array.from({ length: AT_ONCE }, () => work().catch(stop)))
      return ids.length
    },
    touches: [['suppressions']],
    done: count => `${formatNoun(count, 'suppression')} lifted`,
    onDone: () => {
      setAsked(null)
      onDone()
    },
  })
  const unsubscribedCount = asked?.filter(({ reason }) => reason === 'unsubscribed').length ?? 0
  if (chosen.length === 0 && !asked) return null
  return (
    <section
      aria-label="Chosen suppressions"
      className="sticky bottom-3 z-10 m-3 flex flex-wrap items-center gap-1.5 rounded-xl bg-raised p-2 shadow-high"
    >
      <p className="flex-1 px-2 font-medium">{formatCount(chosen.length)} chosen</p>
      <Button size="sm" variant="danger" onClick={() => setAsked(chosen)}>
        Lift
      </Button>
      <Button size="sm" variant="ghost" icon={CloseIcon} label="Choose none" onClick={onDone} />
      {asked ? (
        <ConfirmDialog
          title={`Lift ${formatNoun(asked.length, 'suppression')}?`}
          verb="Lift"
          operation={lift}
          onConfirm={() => void lift.run(asked.map(({ id }) => id))}
          onClose={() => setAsked(null)}
        >
          <p>Campaigns may write to them from now on. Leads that were skipped because of it stay skipped until you requeue them.</p>
          {unsubscribedCount > 0 ? (
            <p className="rounded-lg bg-warn-wash px-3 py-2 text-warn">
              {formatCount(unsubscribedCount)} of them unsubscribed. Lift these only when they have asked you to write to them again.
            </p>
          ) : null}
          {lift.isBusy || lift.error ? (
            <p role="status" className="tabular">
              {formatCount(liftedCount)} of {formatCount(asked.length)} lifted
            </p>
          ) : null}
        </ConfirmDialog>
      ) : null}
    </section>
  )
}

/** Lifted by somebody else meanwhile: that is what was wanted. */
function leaveGone(error: unknown): void {
  if (!(error instanceof OvertureError && error.status === 404)) throw error
}
