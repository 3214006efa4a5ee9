import type { ContactRules, WorkspaceSettings } from '@overture/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { KeyValue } from '@/ui/key-value.tsx'
import { Select } from '@/ui/select.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorNote, ErrorState } from '@/ui/states.tsx'
import { Switch } from '@/ui/toggles.tsx'
import { useSettings } from './data.ts'
import { Page } from './page.tsx'

const COMPANY_REPLIED = [
  { value: 'ignore', label: 'goes on as planned' },
  { value: 'pause', label: 'is held back' },
  { value: 'stop', label: 'is skipped' },
] as const

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
        {settings ? <RulesCard key={settings.updatedAt} settings={settings} /> : error ? null : <SkeletonLines count={5} />}
      </div>
    </Page>
  )
}

function NameCard() {
  const { api, id, name, may } = useWorkspace()
  const queries = useQueryClient()
  const [typed, setTyped] = useState(name)
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

function RulesCard({ settings }: { settings: WorkspaceSettings }) {
  const { api, id, may } = useWorkspace()
  const [rules, setRules] = useState<ContactRules>(settings.contactRules)
  const save = useOperation({
    send: (contactRules: ContactRules, options) =>
      api.workspaces.updateSettings({ contactRules }, { ...options, ifMatch: settings.updatedAt }),
    touches: [['settings'], ['campaigns'], ['campaign']],
    done: 'The rules hold from now on',
  })
  const isChanged = JSON.stringify(rules) !== JSON.stringify(settings.contactRules)
  const disabled = !may('workspaces:write')
  const set = (changed: Partial<ContactRules>) => setRules(before => ({ ...before, ...changed }))
  const body = { contactRules: rules }
  return (
    <Card
      title="Contact rules"
      description="What campaigns mean for each other. A campaign can set its own."
      actions={
        <CopyAs
          call={{
            method: 'PUT',
            path: `/v1/workspaces/${id}/settings`,
            headers: { 'if-match': settings.updatedAt },
            body,
            sdk: `overture.workspaces.updateSettings(${JSON.stringify(body)}, { ifMatch: '${settings.updatedAt}' }).wait()`,
          }}
        />
      }
    >
      <form
        className="flex flex-col gap-5"
        onSubmit={event => {
          event.preventDefault()
          void save.run(rules)
        }}
      >
        <ErrorNote error={save.error} />
        <Optional
          label="Wait after another campaign has written"
          help="A first message waits until no other campaign has written to the person for this long."
          unit="days"
          most={365}
          start={30}
          value={rules.contactedElsewhereWithinDays}
          disabled={disabled}
          onChange={contactedElsewhereWithinDays => set({ contactedElsewhereWithinDays })}
        />
        <Optional
          label="Limit people of one company"
          help="So many of them may be in a sequence at a time, in all campaigns together."
          unit="at once"
          most={1000}
          start={2}
          value={rules.maxPerCompanyAtOnce}
          disabled={disabled}
          onChange={maxPerCompanyAtOnce => set({ maxPerCompanyAtOnce })}
        />
        <Switch
          label="One campaign per person at a time"
          help="Who is in several active campaigns is written to by the one that began; the others wait."
          checked={rules.inOtherActiveCampaign === 'hold'}
          disabled={disabled}
          onChange={isOn => set({ inOtherActiveCampaign: isOn ? 'hold' : 'allow' })}
        />
        <div className="flex flex-wrap items-center gap-2">
          <span>When somebody of a company answers, everybody else there</span>
          <Select
            label="When somebody of a company answers"
            options={COMPANY_REPLIED}
            value={rules.companyReplied}
            disabled={disabled}
            onChange={companyReplied => set({ companyReplied })}
          />
        </div>
        {disabled ? null : (
          <div className="flex items-center gap-2">
            <Button type="submit" variant="primary" phase={save.phase} disabled={!isChanged}>
              Save the rules
            </Button>
            {isChanged && !save.isBusy ? (
              <Button variant="ghost" onClick={() => setRules(settings.contactRules)}>
                Undo
              </Button>
            ) : null}
          </div>
        )}
      </form>
    </Card>
  )
}

interface OptionalProps {
  label: string
  help: string
  unit: string
  most: number
  /** What it begins with when it is switched on. */
  start: number
  value: number | null
  disabled: boolean
  onChange: (value: number | null) => void
}

function Optional({ label, help, unit, most, start, value, disabled, onChange }: OptionalProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-3">
      <Switch label={label} help={help} checked={value !== null} disabled={disabled} onChange={isOn => onChange(isOn ? start : null)} />
      {value === null ? null : (
        <span className="flex items-center gap-2">
          <Input
            type="number"
            min={1}
            max={most}
            aria-label={`${label}: ${unit}`}
            className="w-20!"
            value={String(value)}
            disabled={disabled}
            onChange={event => onChange(Math.max(1, Math.min(most, Math.trunc(Number(event.target.value)) || 1)))}
          />
          <span className="text-soft">{unit}</span>
        </span>
      )}
    </div>
  )
}
