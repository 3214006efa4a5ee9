import type { OptOutLines, WorkspaceSettings } from '@overture/sdk'
import { sessionQuery, useWorkspace } from '@/data/session.ts'
import { useWorkspaceSettings } from '@/data/use-answer.ts'
import { describeRules, RULES, RuleControl, RuleRow } from '@/screens/campaign/settings/contact-rules-form.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { changedMeanwhile, DraftCard, fieldsOf, useDraft, useDraftSave } from '@/ui/draft.tsx'
import { Field, Input, Switch } from '@/ui/field.tsx'
import { Loaded } from '@/ui/loaded.tsx'
import { Page } from './page.tsx'

export function SettingsScreen() {
  const query = useWorkspaceSettings()
  return (
    <Page
      title="Workspace"
      description="The workspace name, and rules for all campaigns unless overridden."
      scope="workspaces:read"
      call={overture => overture.workspaces.getSettings()}
    >
      <div className="flex flex-col gap-5">
        <NameCard />
        <Loaded query={query}>
          {settings => (
            <>
              <ContactRulesCard settings={settings} />
              <DomainHealthCard settings={settings} />
              <OptOutCard settings={settings} />
            </>
          )}
        </Loaded>
      </div>
    </Page>
  )
}

/** One part of the settings while it is edited. Each part is saved on its own, and only over the version that was shown. */
function usePart<Name extends 'contactRules' | 'domainHealth' | 'optOutLines'>(
  settings: WorkspaceSettings,
  name: Name,
  title: string,
  describe: (value: WorkspaceSettings[Name]) => string,
) {
  const { api, may } = useWorkspace()
  const draft = useDraft<Pick<WorkspaceSettings, Name>>({ [name]: settings[name] } as Pick<WorkspaceSettings, Name>, settings.updatedAt)
  const save = useDraftSave(draft, {
    reads: ['settings'],
    touches: [['settings'], ['campaigns'], ['campaign']],
    send: (body, options) => api.workspaces.updateSettings(body, { ...options, ifMatch: draft.version }),
    done: 'Settings saved',
  })
  const actions = <CopyAs call={overture => overture.workspaces.updateSettings(draft.value, { ifMatch: draft.version }).wait()} />
  const fields = [{ key: name, label: title, format: (value: Pick<WorkspaceSettings, Name>) => describe(value[name]) }]
  return { draft, save, actions, title, fields, mayWrite: may('workspaces:write') }
}

interface PartProps {
  settings: WorkspaceSettings
}

function ContactRulesCard({ settings }: PartProps) {
  const part = usePart(settings, 'contactRules', 'Contact rules', describeRules)
  const rules = part.draft.value.contactRules
  return (
    <DraftCard
      {...part}
      description="Keep several campaigns from contacting the same person or company. A campaign can override these rules."
      verb="Save rules"
    >
      <ul>
        {RULES.map(shape => (
          <RuleRow key={shape.rule} shape={shape}>
            <RuleControl
              shape={shape}
              value={rules[shape.rule]}
              onChange={value => part.draft.set({ contactRules: { ...rules, [shape.rule]: value } })}
            />
          </RuleRow>
        ))}
      </ul>
    </DraftCard>
  )
}

function DomainHealthCard({ settings }: PartProps) {
  const part = usePart(settings, 'domainHealth', 'Domain health', rule => (rule === 'require' ? 'required' : 'warning only'))
  return (
    <DraftCard {...part} description="SPF, DKIM and DMARC of the domains you send from." verb="Save setting" className="p-4">
      <Switch
        label="Require healthy domains"
        help="If on, a campaign cannot start while a domain of its mailboxes fails a check or is unchecked. If off, Overture only shows a warning."
        checked={part.draft.value.domainHealth === 'require'}
        onChange={isOn => part.draft.set({ domainHealth: isOn ? 'require' : 'warn' })}
      />
    </DraftCard>
  )
}

type Language = keyof OptOutLines
type Way = keyof NonNullable<OptOutLines[Language]>

const LANGUAGES: Record<Language, string> = { en: 'English', de: 'German', fr: 'French', es: 'Spanish' }
const WAYS: Record<Way, string> = { link: '(unsubscribe link)', reply: '(reply “stop”)' }

const EVERY_LINE = (Object.keys(LANGUAGES) as Language[]).flatMap(language =>
  (Object.keys(WAYS) as Way[]).map(way => [language, way] as const),
)

/** Empty texts are left out, and so are languages without texts. */
function withLine(lines: OptOutLines, language: Language, way: Way, text: string): OptOutLines {
  const { [language]: before, ...others } = lines
  const { [way]: _, ...rest } = before ?? {}
  const after = text.trim() === '' ? rest : { ...rest, [way]: text }
  return Object.keys(after).length === 0 ? others : { ...others, [language]: after }
}

const describeLines = (lines: OptOutLines): string =>
  EVERY_LINE.flatMap(([language, way]) =>
    lines[language]?.[way] ? [`${LANGUAGES[language]} ${WAYS[way]}: ${lines[language][way]}`] : [],
  ).join('\n') || 'default texts'

function OptOutCard({ settings }: PartProps) {
  const part = usePart(settings, 'optOutLines', 'Footer text', describeLines)
  const lines = part.draft.value.optOutLines
  return (
    <DraftCard
      {...part}
      description="The sentence about opting out, in the language of the lead. Leave empty to use the default. A campaign can override it."
      verb="Save footer text"
      className="grid gap-x-4 gap-y-3 p-4 sm:grid-cols-2"
    >
      {EVERY_LINE.map(([language, way]) => (
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
            value={lines[language]?.[way] ?? ''}
            placeholder="Default text"
            onValueChange={typed => part.draft.set({ optOutLines: withLine(lines, language, way, typed) })}
          />
        </Field>
      ))}
    </DraftCard>
  )
}

/** The name has no version that the service could compare, so it is read once more before it is overwritten. */
function NameCard() {
  const { api, id, name, may } = useWorkspace()
  const draft = useDraft({ name })
  const save = useDraftSave(draft, {
    reads: sessionQuery.queryKey,
    send: async (value, { idempotencyKey }) => {
      if (draft.isAgainst({ name: (await api.workspaces.get(id)).name })) throw changedMeanwhile()
      await api.workspaces.update(id, { name: value.name.trim() }, { idempotencyKey })
    },
    touches: [sessionQuery.queryKey],
    done: 'Workspace renamed',
    repeats: true,
  })
  return (
    <DraftCard
      title="Name"
      draft={draft}
      fields={fieldsOf({ name: 'Workspace name' })}
      save={save}
      mayWrite={may('workspaces:write')}
      isWrong={!draft.value.name.trim()}
      verb="Rename workspace"
      className="flex flex-col gap-3 p-4"
    >
      <Field label="Workspace name" className="max-w-sm" error={draft.value.name.trim() ? null : 'Enter a name.'}>
        <Input value={draft.value.name} onValueChange={typed => draft.set({ name: typed })} />
      </Field>
      <p className="text-faint text-xs">
        Workspace ID, for the API: <code className="break-all font-mono text-ink">{id}</code>
      </p>
    </DraftCard>
  )
}
