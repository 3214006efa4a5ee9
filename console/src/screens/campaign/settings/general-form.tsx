import type { Campaign } from '@overture/sdk'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { cx } from '@/ui/cx.ts'
import { Field, Input, Switch } from '@/ui/field.tsx'
import type { ConflictField } from '../conflict-panel.tsx'
import { useDraft, useMayChange, useSettingsSave } from '../draft.ts'
import { SettingsForm } from './settings-form.tsx'

type Values = Pick<Campaign, 'name' | 'trackOpens' | 'trackClicks' | 'unsubscribe' | 'optOutText'>

const STYLES: readonly { value: Campaign['unsubscribe']; label: string; help: string }[] = [
  {
    value: 'header',
    label: 'List headers and a link',
    help: 'One click in the mail program. Google and Yahoo ask it of those who send 5000 a day. Mail with list headers gets no automatic answers, so absences go unnoticed.',
  },
  {
    value: 'link',
    label: 'A link only',
    help: 'No list headers. Absences are answered and respected; the demand for one click is not met.',
  },
  {
    value: 'reply-line',
    label: 'A line that asks for “stop”',
    help: 'The answer is read and honoured. The most personal, for small numbers of first contacts.',
  },
]

const styleWords = (value: Campaign['unsubscribe']): string => STYLES.find(style => style.value === value)?.label ?? value
const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off')

const FIELDS: readonly ConflictField<Values>[] = [
  { key: 'name', label: 'Name', word: ({ name }) => name },
  { key: 'trackOpens', label: 'Track opens', word: ({ trackOpens }) => onOff(trackOpens) },
  { key: 'trackClicks', label: 'Track clicks', word: ({ trackClicks }) => onOff(trackClicks) },
  { key: 'unsubscribe', label: 'How a recipient leaves', word: ({ unsubscribe }) => styleWords(unsubscribe) },
  { key: 'optOutText', label: 'Sentence of the footer', word: ({ optOutText }) => optOutText ?? 'ours, in the language of the lead' },
]

export function GeneralForm({ campaign }: { campaign: Campaign }) {
  const { api } = useWorkspace()
  const { name, trackOpens, trackClicks, unsubscribe, optOutText } = campaign
  const draft = useDraft<Values>({ name, trackOpens, trackClicks, unsubscribe, optOutText }, campaign.updatedAt)
  const { value, set } = draft
  const mayWrite = useMayChange(campaign)
  const save = useSettingsSave(campaign, {
    send: (body: Values, options) => api.campaigns.updateSettings(campaign.id, body, { ...options, ifMatch: draft.version }),
    done: 'The settings are saved',
  })
  const nameIssue = issueFor(save.error, 'name')
  return (
    <SettingsForm
      title="General"
      description="Once it is saved, nothing leaves with the old settings"
      draft={draft}
      fields={FIELDS}
      save={save}
      mayWrite={mayWrite}
      isWrong={!value.name.trim()}
      hidesError={nameIssue !== null}
      verb="Save the settings"
      onSave={() => void save.run(value)}
    >
      <div className="flex flex-col gap-5 p-4">
        <Field label="Name" error={nameIssue} help="Only you and your team see it.">
          <Input value={value.name} disabled={!mayWrite} onChange={event => set({ name: event.target.value })} />
        </Field>
        <div className="grid gap-3 sm:grid-cols-2">
          <Switch
            label="Track opens"
            help="Adds an invisible image, and makes HTML of a plain text. Spam filters do not like it."
            checked={value.trackOpens}
            disabled={!mayWrite}
            onChange={isOn => set({ trackOpens: isOn })}
          />
          <Switch
            label="Track clicks"
            help="Leads links through this service. A link that shows its address is left as it is."
            checked={value.trackClicks}
            disabled={!mayWrite}
            onChange={isOn => set({ trackClicks: isOn })}
          />
        </div>
        <fieldset disabled={!mayWrite}>
          <legend className="mb-2 font-medium">How a recipient leaves</legend>
          <div className="grid gap-2 sm:grid-cols-3">
            {STYLES.map(style => (
              <label
                key={style.value}
                className={cx(
                  'flex items-start gap-2.5 rounded-lg border px-3 py-2.5 transition-colors',
                  value.unsubscribe === style.value ? 'border-accent bg-accent-wash' : 'border-line-strong hover:bg-hover',
                )}
              >
                <input
                  type="radio"
                  name="unsubscribe"
                  className="mt-1 accent-accent"
                  checked={value.unsubscribe === style.value}
                  onChange={() => set({ unsubscribe: style.value })}
                />
                <span>
                  <span className="block font-medium">{style.label}</span>
                  <span className="mt-0.5 block text-soft text-xs">{style.help}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <Field
          label="Sentence of the footer"
          optional
          help={
            value.unsubscribe === 'reply-line'
              ? 'In place of the one that asks for an answer.'
              : 'Stands before the link. Empty: ours, in the language of the lead.'
          }
        >
          <Input
            value={value.optOutText ?? ''}
            disabled={!mayWrite}
            placeholder="If you would rather not hear from me"
            onChange={event => set({ optOutText: event.target.value || null })}
          />
        </Field>
      </div>
    </SettingsForm>
  )
}
