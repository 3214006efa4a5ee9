import type { IssuedToken, Token } from '@overture/sdk'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { sessionQuery, useWorkspace } from '@/data/session.ts'
import { Badge } from '@/ui/badge.tsx'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { DataTable } from '@/ui/data-table.tsx'
import { KeyIcon, PlusIcon } from '@/ui/icons.tsx'
import { ACTIONS, type Column } from '@/ui/rows.tsx'
import { SecretDialog } from '@/ui/secret-dialog.tsx'
import { EmptyState, NoPermission } from '@/ui/states.tsx'
import { Time } from '@/ui/time.tsx'
import { toast } from '@/ui/toast.tsx'
import { useApiKeys, useTokens } from './data.ts'
import { KeyActions } from './key-actions.tsx'
import { KeyForm, type KeyKind } from './key-form.tsx'
import { Budget } from './key-limits.tsx'
import { Page } from './page.tsx'

/** Two kinds: a token is a person, a key is the workspace. */
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
    else toast.failed('Its secret was lost with an answer', `“${made.name}” exists, and nobody knows its secret. Rotate or revoke it.`)
  }, [])
  const mine = identity?.token.id
  const columns = useMemo(() => ({ key: columnsOf('key', show, mine), token: columnsOf('token', show, mine) }), [mine, show])
  const add = (kind: KeyKind, words: string) =>
    (kind === 'key' ? may : mayOwn)('tokens:write') ? (
      <Button size="sm" icon={PlusIcon} onClick={() => setMaking(kind)}>
        {words}
      </Button>
    ) : null
  return (
    <Page
      title="Tokens and keys"
      description="Each can do what its scopes say, and no more. The secret itself is shown once and kept as a hash."
      scope="tokens:read"
      isOwn
      call={overture => overture.apiKeys.list()}
    >
      <div className="flex flex-col gap-5">
        <Card
          title="Keys of the workspace"
          description="For programs. They belong to nobody, and stay when somebody leaves."
          actions={add('key', 'New key')}
          isFlush
        >
          {may('tokens:read') ? (
            <DataTable
              label="Keys"
              columns={columns.key}
              pages={keys}
              empty={
                <EmptyState icon={KeyIcon} title="No keys yet" actions={add('key', 'New key')}>
                  Give each program a key of its own, with the scopes that it needs.
                </EmptyState>
              }
            />
          ) : (
            <NoPermission scope="tokens:read" className="py-8" />
          )}
        </Card>
        <Card
          title="Your tokens"
          description="They act as you, in every workspace that you are in."
          actions={
            <>
              <CopyAs call={overture => overture.tokens.list()} />
              {add('token', 'New token')}
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
                You are signed in with an organization key, which is no person.
              </EmptyState>
            }
          />
        </Card>
      </div>
      {making ? <KeyForm kind={making} onClose={() => setMaking(null)} onIssued={show} /> : null}
      {issued ? (
        <SecretDialog
          title="The token"
          secret={issued}
          about="Send it as the header: authorization: Bearer …"
          onClose={() => setIssued(null)}
        />
      ) : null}
    </Page>
  )
}

function Scopes({ scopes }: { scopes: readonly string[] }) {
  if (scopes.includes('*')) return <Badge tone="warn">Everything</Badge>
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
    { id: 'created', header: 'Made', from: 'lg', card: 'none', cell: token => <Time at={token.createdAt} isReal className="text-faint" /> },
    {
      id: 'expires',
      header: 'Expires',
      cell: token =>
        token.expiresAt ? <Time at={token.expiresAt} isReal className="text-faint" /> : <span className="text-faint">never</span>,
    },
    { ...ACTIONS, cell: token => <KeyActions token={token} kind={kind} onIssued={onIssued} /> },
  ]
}
