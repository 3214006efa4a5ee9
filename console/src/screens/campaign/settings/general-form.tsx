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
    label: 'Unsubscribe header and link',
    help: 'One-click unsubscribe in the mail app. Google and Yahoo require it from senders of 5,000 emails a day. Out-of-office replies do not arrive.',
  },
  {
    value: 'link',
    label: 'Link only',
    help: 'Out-of-office replies arrive. Does not meet the one-click rule for bulk senders.',
  },
  {
    value: 'reply-line',
    label: 'Reply “stop”',
    help: 'Overture opts out people who reply “stop”. The most personal method, for small campaigns.',
  },
]

const styleWords = (value: Campaign['unsubscribe']): string => STYLES.find(style => style.value === value)?.label ?? value
const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off')

const FIELDS: readonly ConflictField<Values>[] = [
  { key: 'name', label: 'Name', word: ({ name }) => name },
  { key: 'trackOpens', label: 'Track opens', word: ({ trackOpens }) => onOff(trackOpens) },
  { key: 'trackClicks', label: 'Track clicks', word: ({ trackClicks }) => onOff(trackClicks) },
  { key: 'unsubscribe', label: 'Unsubscribe method', word: ({ unsubscribe }) => styleWords(unsubscribe) },
  { key: 'optOutText', label: 'Footer text', word: ({ optOutText }) => optOutText ?? 'default, in the language of the lead' },
]

export function GeneralForm({ campaign }: { campaign: Campaign }) {
  const { api } = useWorkspace()
  const { name, trackOpens, trackClicks, unsubscribe, optOutText } = campaign
  const draft = useDraft<Values>({ name, trackOpens, trackClicks, unsubscribe, optOutText }, campaign.updatedAt)
  const { value, set } = draft
  const mayWrite = useMayChange(campaign)
  const save = useSettingsSave(campaign, {
    send: (body: Values, options) => api.campaigns.updateSettings(campaign.id, body, { ...options, ifMatch: draft.version }),
    done: 'Settings saved',
  })
  const nameIssue = issueFor(save.error, 'name')
  return (
    <SettingsForm
      title="General"
      description="Applies immediately"
      draft={draft}
      fields={FIELDS}
      save={save}
      mayWrite={mayWrite}
      isWrong={!value.name.trim()}
      hidesError={nameIssue !== null}
      verb="Save settings"
      onSave={() => void save.run(value)}
    >
      <div className="flex flex-col gap-5 p-4">
        <Field label="Name" error={nameIssue} help="Only your team sees this name.">
          <Input value={value.name} disabled={!mayWrite} onChange={event => set({ name: event.target.value })} />
        </Field>
        <div className="grid gap-3 sm:grid-cols-2">
          <Switch
            label="Track opens"
            help="Adds an invisible image and turns plain text into HTML. May hurt deliverability."
            checked={value.trackOpens}
            disabled={!mayWrite}
            onChange={isOn => set({ trackOpens: isOn })}
          />
          <Switch
            label="Track clicks"
            help="Routes links through Overture. Links that show their own address are not changed."
            checked={value.trackClicks}
            disabled={!mayWrite}
            onChange={isOn => set({ trackClicks: isOn })}
          />
        </div>
        <fieldset disabled={!mayWrite}>
          <legend className="mb-2 font-medium">Unsubscribe method</legend>
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
          label="Footer text"
          optional
          help={
            value.unsubscribe === 'reply-line'
              ? 'Replaces the default line that asks for a reply.'
              : 'Appears before the link. Leave empty for the default text in the language of the lead.'
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
