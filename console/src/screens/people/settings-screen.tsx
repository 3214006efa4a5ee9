import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { KeyValue } from '@/ui/key-value.tsx'
import { LeaveGuard } from '@/ui/leave-guard.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorNote, ErrorState } from '@/ui/states.tsx'
import { ContactRulesCard } from './contact-rules-card.tsx'
import { useSettings } from './data.ts'
import { DomainHealthCard } from './domain-health-card.tsx'
import { OptOutCard } from './opt-out-card.tsx'
import { Page } from './page.tsx'

export function SettingsScreen() {
  const { data: settings, error, refetch } = useSettings()
  return (
    <Page
      title="Workspace"
      description="Its name, and the rules that hold for every campaign which does not say otherwise."
      scope="workspaces:read"
      call={{ method: 'GET', path: 'settings', sdk: 'overture.workspaces.getSettings()' }}
    >
      <div className="flex flex-col gap-5">
        <NameCard />
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
        {settings ? (
          <>
            <ContactRulesCard settings={settings} />
            <DomainHealthCard settings={settings} />
            <OptOutCard settings={settings} />
          </>
        ) : error ? null : (
          <SkeletonLines count={5} />
        )}
      </div>
    </Page>
  )
}

function NameCard() {
  const { api, id, name, may } = useWorkspace()
  const queries = useQueryClient()
  const [base, setBase] = useState(name)
  const [typed, setTyped] = useState(name)
  // The name that somebody else gives it shows where nothing was typed.
  if (name !== base) {
    setBase(name)
    if (typed.trim() === base) setTyped(name)
  }
  const rename = useOperation({
    send: (next: string, { idempotencyKey }) => api.workspaces.update(id, { name: next }, { idempotencyKey }),
    done: 'The name is changed',
    onDone: () => void queries.invalidateQueries({ queryKey: ['session'] }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void rename.run(typed.trim())
  }
  return (
    <Card title="Name">
      <form onSubmit={submit} className="flex flex-col gap-3">
        <LeaveGuard loses={typed.trim() !== name && !rename.isBusy && rename.phase !== 'done'} />
        <ErrorNote error={rename.error} />
        <div className="flex items-end gap-2">
          <Field label="Name of the workspace" className="max-w-sm flex-1">
            <Input value={typed} onChange={event => setTyped(event.target.value)} disabled={!may('workspaces:write')} />
          </Field>
          {may('workspaces:write') ? (
            <Button type="submit" phase={rename.phase} disabled={!typed.trim() || typed.trim() === name}>
              Rename
            </Button>
          ) : null}
        </div>
        <KeyValue
          items={[
            [
              'Id',
              <code key="id" className="break-all font-mono text-xs">
                {id}
              </code>,
            ],
          ]}
        />
      </form>
    </Card>
  )
}
