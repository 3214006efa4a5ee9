import type { IssuedToken, Token } from '@overture/sdk'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { sessionQuery, useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Badge } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { ACTIONS, type Column, DataTable } from '@/ui/data-table.tsx'
import { ConfirmDialog, SecretDialog } from '@/ui/dialog.tsx'
import { isolate } from '@/ui/format.ts'
import { KeyIcon, PlusIcon } from '@/ui/icons.tsx'
import { EmptyState, NoPermission } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { toast } from '@/ui/toast.tsx'
import { useApiKeys, useTokens } from './data.ts'
import { Budget, KeyForm, type KeyKind } from './key-form.tsx'
import { Page } from './page.tsx'

/** A token acts as a person, a key as the workspace. */
export function KeysScreen() {
  const { may, mayOwn } = useWorkspace()
  const { data: identity } = useQuery(sessionQuery)
  const [making, setMaking] = useState<KeyKind | null>(null)
  const [issued, setIssued] = useState<string | null>(null)
  const keys = useApiKeys()
  const tokens = useTokens()
  const show = useCallback((made: IssuedToken) => {
    setMaking(null)
    if (made.token) setIssued(made.token)
    else toast.failed('Secret not received', `“${made.name}” was created, but the response with its secret was lost. Rotate or revoke it.`)
  }, [])
  const mine = identity?.token.id
  const columns = useMemo(() => ({ key: columnsOf('key', show, mine), token: columnsOf('token', show, mine) }), [mine, show])
  const add = (kind: KeyKind) =>
    (kind === 'key' ? may : mayOwn)('tokens:write') ? (
      <Button size="sm" icon={PlusIcon} onClick={() => setMaking(kind)}>
        Create {kind}
      </Button>
    ) : null
  return (
    <Page
      title="Tokens and keys"
      description="Scopes limit what a token or key can do. A secret is shown only once."
      scope="tokens:read"
      isOwn
      call={overture => overture.apiKeys.list()}
    >
      <div className="flex flex-col gap-5">
        <Card title="Workspace keys" description="For integrations. They keep working when a teammate leaves." actions={add('key')} isFlush>
          {may('tokens:read') ? (
            <DataTable
              label="Keys"
              columns={columns.key}
              pages={keys}
              empty={
                <EmptyState icon={KeyIcon} title="No keys yet" actions={add('key')}>
                  Give each program its own key with only the scopes it needs.
                </EmptyState>
              }
            />
          ) : (
            <NoPermission scope="tokens:read" className="py-8" />
          )}
        </Card>
        <Card
          title="Your tokens"
          description="They act as you in all your workspaces."
          actions={
            <>
              <CopyAs call={overture => overture.tokens.list()} />
              {add('token')}
            </>
          }
          isFlush
        >
          <DataTable
            label="Tokens"
            columns={columns.token}
            pages={tokens}
            empty={
              <EmptyState icon={KeyIcon} title="No tokens">
                You are signed in with a workspace key, not as a person.
              </EmptyState>
            }
          />
        </Card>
      </div>
      {making ? <KeyForm kind={making} onClose={() => setMaking(null)} onIssued={show} /> : null}
      {issued ? (
        <SecretDialog
          title="New secret"
          secret={issued}
          about="Send it in the header “authorization: Bearer …”. Overture does not show it again."
          onClose={() => setIssued(null)}
        />
      ) : null}
    </Page>
  )
}

function Scopes({ scopes }: { scopes: readonly string[] }) {
  if (scopes.includes('*')) return <Badge tone="warn">Full access</Badge>
  const shown = scopes.slice(0, 3)
  return (
    <span className="flex flex-wrap gap-1" title={scopes.join(', ')}>
      {shown.map(scope => (
        <Badge key={scope} className="font-mono">
          {scope}
        </Badge>
      ))}
      {scopes.length > shown.length ? <span className="text-faint text-xs">+{scopes.length - shown.length}</span> : null}
    </span>
  )
}

function columnsOf(kind: KeyKind, onIssued: (made: IssuedToken) => void, mine: string | undefined): Column<Token>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      card: 'head',
      className: 'max-w-72',
      cell: token => (
        <>
          <span className="flex items-center gap-2 font-medium">
            <span className="truncate">{token.name}</span>
            {token.id === mine ? <Badge tone="accent">This session</Badge> : null}
          </span>
          <code className="font-mono text-faint text-xs">…{token.lastFour}</code>
        </>
      ),
    },
    { id: 'scopes', header: 'Scopes', cell: token => <Scopes scopes={token.scopes} /> },
    { id: 'budget', header: 'Budget today', cell: token => <Budget token={token} /> },
    {
      id: 'created',
      header: 'Created',
      from: 'lg',
      card: 'none',
      cell: ({ createdAt }) => <Time at={createdAt} isReal className="text-faint" />,
    },
    {
      id: 'expires',
      header: 'Expires',
      cell: ({ expiresAt }) => <span className="text-faint">{expiresAt ? <Time at={expiresAt} isReal /> : 'never'}</span>,
    },
    { ...ACTIONS, cell: token => <KeyActions token={token} kind={kind} onIssued={onIssued} /> },
  ]
}

const OVERLAP_HOURS = 24

function KeyActions({ token, kind, onIssued }: { token: Token; kind: KeyKind; onIssued: (made: IssuedToken) => void }) {
  const { api, may, mayOwn } = useWorkspace()
  const [open, setOpen] = useState<'revoke' | 'rotate' | null>(null)
  const close = () => setOpen(null)
  const touches = [['api-keys'], ['tokens'], ['sessions']]
  const revoke = useOperation({
    send: (_: null, { idempotencyKey }) => (kind === 'key' ? api.apiKeys : api.tokens).revoke(token.id, { idempotencyKey }),
    touches,
    done: `“${isolate(token.name)}” revoked`,
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
        <ConfirmDialog title={`Rotate “${isolate(token.name)}”?`} verb="Rotate key" operation={rotate} onClose={close}>
          You get a new key with the same scopes. The old key works for {OVERLAP_HOURS} more hours.
        </ConfirmDialog>
      ) : null}
      {open === 'revoke' ? (
        <ConfirmDialog title={`Revoke “${isolate(token.name)}”?`} verb={`Revoke ${kind}`} operation={revoke} onClose={close}>
          Requests with this secret fail immediately, and its sessions end. You cannot undo this.
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
