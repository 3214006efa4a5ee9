import type { ContactRules, OptOutLines, WorkspaceSettings, WorkspaceSettingsUpdate } from '@overture/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useWorkspaceSettings } from '@/data/use-answer.ts'
import { type OperationPhase, useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { Field, Form, Input, OptionalNumber, Switch } from '@/ui/field.tsx'
import { isSame } from '@/ui/json.ts'
import { LeaveGuard } from '@/ui/leave-guard.tsx'
import { Select } from '@/ui/select.tsx'
import { SkeletonLines } from '@/ui/skeleton.tsx'
import { ErrorNote, ErrorState } from '@/ui/states.tsx'
import { NameCard } from './name-card.tsx'
import { Page } from './page.tsx'

export function SettingsScreen() {
  const { data: settings, error, refetch } = useWorkspaceSettings()
  return (
    <Page
      title="Workspace"
      description="The workspace name, and rules for all campaigns unless overridden."
      scope="workspaces:read"
      call={overture => overture.workspaces.getSettings()}
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

const COMPANY_REPLIED = [
  { value: 'ignore', label: 'keep sending' },
  { value: 'pause', label: 'pause them' },
  { value: 'stop', label: 'skip them' },
] as const

function ContactRulesCard({ settings }: PartProps) {
  const part = usePart(settings, 'contactRules')
  const { value: rules, disabled } = part
  const set = (changed: Partial<ContactRules>) => part.set({ ...rules, ...changed })
  return (
    <SettingsCard
      part={part}
      title="Contact rules"
      description="Rules across all campaigns. A campaign can override them."
      verb="Save rules"
    >
      <OptionalNumber
        label="Wait after an email from another campaign"
        help="The first email waits until no other campaign has emailed the person for this long."
        unit="days"
        most={365}
        start={30}
        value={rules.contactedElsewhereWithinDays}
        disabled={disabled}
        onChange={contactedElsewhereWithinDays => set({ contactedElsewhereWithinDays })}
      />
      <OptionalNumber
        label="Limit people per company"
        help="Limits how many people of a company are in a sequence at the same time, across all campaigns."
        unit="at a time"
        most={1000}
        start={2}
        value={rules.maxPerCompanyAtOnce}
        disabled={disabled}
        onChange={maxPerCompanyAtOnce => set({ maxPerCompanyAtOnce })}
      />
      <Switch
        label="One campaign per person at a time"
        help="If a person is in several active campaigns, only the first one contacts them."
        checked={rules.inOtherActiveCampaign === 'hold'}
        disabled={disabled}
        onChange={isOn => set({ inOtherActiveCampaign: isOn ? 'hold' : 'allow' })}
      />
      <div className="flex flex-wrap items-center gap-2">
        <span>When someone at a company replies, for colleagues</span>
        <Select
          label="When someone at a company replies"
          options={COMPANY_REPLIED}
          value={rules.companyReplied}
          disabled={disabled}
          onChange={companyReplied => set({ companyReplied })}
        />
      </div>
    </SettingsCard>
  )
}

function DomainHealthCard({ settings }: PartProps) {
  const part = usePart(settings, 'domainHealth')
  return (
    <SettingsCard part={part} title="Domain health" description="SPF, DKIM and DMARC of the domains you send from." verb="Save setting">
      <Switch
        label="Require healthy domains"
        help="If on, a campaign cannot start while a domain of its mailboxes fails a check or is unchecked. If off, Overture only shows a warning."
        checked={part.value === 'require'}
        disabled={part.disabled}
        onChange={isOn => part.set(isOn ? 'require' : 'warn')}
      />
    </SettingsCard>
  )
}

type Language = keyof OptOutLines
type Way = keyof NonNullable<OptOutLines[Language]>

const LANGUAGES: Record<Language, string> = { en: 'English', de: 'German', fr: 'French', es: 'Spanish' }
const WAYS: Record<Way, string> = { link: 'before the link', reply: 'asking for a reply' }

/** A sentence that is empty is left out, and so is a language without any. */
function withLine(lines: OptOutLines, language: Language, way: Way, text: string): OptOutLines {
  const { [language]: before, ...others } = lines
  const { [way]: _, ...rest } = before ?? {}
  const after = text.trim() === '' ? rest : { ...rest, [way]: text }
  return Object.keys(after).length === 0 ? others : { ...others, [language]: after }
}

function OptOutCard({ settings }: PartProps) {
  const part = usePart(settings, 'optOutLines')
  return (
    <SettingsCard
      part={part}
      title="Unsubscribe text"
      description="The last line of each email, in the language of the lead. Leave empty to use the default. A campaign can override it."
      verb="Save texts"
    >
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        {(Object.keys(LANGUAGES) as Language[]).flatMap(language =>
          (Object.keys(WAYS) as Way[]).map(way => (
            <Field
              key={`${language}-${way}`}
              label={
                <span>
                  {LANGUAGES[language]} <span className="font-normal text-faint">{WAYS[way]}</span>
                </span>
              }
            >
              <Input
                lang={language}
                maxLength={500}
                value={part.value[language]?.[way] ?? ''}
                disabled={part.disabled}
                placeholder="Default text"
                onChange={event => part.set(withLine(part.value, language, way, event.target.value))}
              />
            </Field>
          )),
        )}
      </div>
    </SettingsCard>
  )
}

interface PartProps {
  settings: WorkspaceSettings
}

type Name = 'contactRules' | 'domainHealth' | 'optOutLines'

interface Part {
  disabled: boolean
  isChanged: boolean
  isBusy: boolean
  phase: OperationPhase
  error: unknown
  body: WorkspaceSettingsUpdate
  updatedAt: string
  save: () => void
  undo: () => void
}

/** One of the settings as it is typed. Each is saved alone, and only over the version that was shown. */
function usePart<Of extends Name>(settings: WorkspaceSettings, name: Of) {
  const { api, id, may } = useWorkspace()
  const queries = useQueryClient()
  const [seen, setSeen] = useState(settings)
  const [base, setBase] = useState(settings)
  const [value, set] = useState<WorkspaceSettings[Of]>(base[name])
  // What somebody else changes shows where nothing was typed. Where something was, it stays over the version that was shown: the service then refuses it.
  const isTyped = !isSame(value, base[name])
  if (settings !== seen) {
    setSeen(settings)
    if (!isTyped || isSame(settings[name], base[name]) || isSame(settings[name], value)) {
      setBase(settings)
      if (!isTyped) set(settings[name])
    }
  }
  const { updatedAt } = base
  const body: WorkspaceSettingsUpdate = { [name]: value }
  const operation = useOperation({
    send: (asked: WorkspaceSettingsUpdate, options) => api.workspaces.updateSettings(asked, { ...options, ifMatch: updatedAt }),
    touches: [['settings'], ['campaigns'], ['campaign']],
    done: 'Settings saved',
    // If the user types before the settings are loaded again, the input replaces the values that were just saved.
    onDone: ({ settings: saved }) => {
      queries.setQueryData(['settings', id], saved)
      setBase(saved)
    },
  })
  const part: Part = {
    disabled: !may('workspaces:write'),
    isChanged: isTyped,
    isBusy: operation.isBusy,
    phase: operation.phase,
    error: operation.error,
    body,
    updatedAt,
    save: () => void operation.run(body),
    undo: () => {
      setBase(settings)
      set(settings[name])
    },
  }
  return { ...part, value, set }
}

interface SettingsCardProps {
  part: Part
  title: string
  description: string
  verb: string
  children: ReactNode
}

function SettingsCard({ part, title, description, verb, children }: SettingsCardProps) {
  return (
    <Card
      title={title}
      description={description}
      actions={<CopyAs call={overture => overture.workspaces.updateSettings(part.body, { ifMatch: part.updatedAt }).wait()} />}
    >
      <Form className="flex flex-col gap-5" onSubmit={part.save}>
        <LeaveGuard loses={part.isChanged && !part.isBusy} />
        <ErrorNote error={part.error} />
        {children}
        {part.disabled ? null : (
          <div className="flex items-center gap-2">
            <Button type="submit" variant="primary" phase={part.phase} disabled={!part.isChanged}>
              {verb}
            </Button>
            {part.isChanged && !part.isBusy ? (
              <Button variant="ghost" onClick={part.undo}>
                Discard
              </Button>
            ) : null}
          </div>
        )}
      </Form>
    </Card>
  )
}
