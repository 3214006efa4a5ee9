import type { IssuedToken, Token } from '@overture/sdk'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { ConfirmDialog } from '@/ui/confirm-dialog.tsx'
import { isolate } from '@/ui/format.ts'
import type { KeyKind } from './key-form.tsx'

const OVERLAP_HOURS = 24

export function KeyActions({ token, kind, onIssued }: { token: Token; kind: KeyKind; onIssued: (made: IssuedToken) => void }) {
  const { api, may, mayOwn } = useWorkspace()
  const [open, setOpen] = useState<'revoke' | 'rotate' | null>(null)
  const close = () => setOpen(null)
  const touches = [['api-keys'], ['tokens'], ['sessions']]
  const revoke = useOperation({
    send: (_: null, { idempotencyKey }) =>
      kind === 'key' ? api.apiKeys.revoke(token.id, { idempotencyKey }) : api.tokens.revoke(token.id, { idempotencyKey }),
    touches,
    done: `“${isolate(token.name)}” is revoked`,
    onDone: close,
  })
  const rotate = useOperation({
    send: (_: null, { idempotencyKey }) => api.apiKeys.rotate(token.id, { overlapSeconds: OVERLAP_HOURS * 3600 }, { idempotencyKey }),
    once: `rotate ${token.id}`,
    touches,
    onDone: made => {
      close()
      onIssued(made)
    },
  })
  if (!(kind === 'key' ? may : mayOwn)('tokens:write')) return null
  return (
    <div className="flex justify-end gap-1">
      {kind === 'key' ? (
        <Button size="sm" aria-label={`Rotate ${token.name}`} onClick={() => setOpen('rotate')}>
          Rotate
        </Button>
      ) : null}
      <Button size="sm" variant="danger" aria-label={`Revoke ${token.name}`} onClick={() => setOpen('revoke')}>
        Revoke
      </Button>
      {open === 'rotate' ? (
        <ConfirmDialog
          title={`Rotate “${isolate(token.name)}”?`}
          verb="Rotate"
          operation={rotate}
          onConfirm={() => void rotate.run(null)}
          onClose={close}
        >
          You get a new key with the same scopes. The old one works for {OVERLAP_HOURS} more hours.
        </ConfirmDialog>
      ) : null}
      {open === 'revoke' ? (
        <ConfirmDialog
          title={`Revoke “${isolate(token.name)}”?`}
          verb="Revoke"
          operation={revoke}
          onConfirm={() => void revoke.run(null)}
          onClose={close}
        >
          It is refused from the next request on, and so are the sessions that it has made. That cannot be taken back.
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
