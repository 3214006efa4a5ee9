import type { Campaign } from '@overture/sdk'
import { issueFor } from '@/api/errors.ts'
import { useWorkspace } from '@/data/session.ts'
import { type ConflictField, DraftCard, useDraft, useDraftSave } from '@/ui/draft.tsx'
import { Field, Input, Switch } from '@/ui/field.tsx'
import { RadioCard } from '@/ui/radio-card.tsx'
import { savesCampaign, useMayChange } from '../data.ts'

type Values = Pick<Campaign, 'name' | 'trackOpens' | 'trackClicks' | 'unsubscribe' | 'optOutText'>

const STYLES: readonly { value: Campaign['unsubscribe']; label: string; help: string }[] = [
  {
    value: 'header',
    label: 'Unsubscribe header and link',
    help: 'One-click unsubscribe in the mail app. Google and Yahoo require it from senders of 5,000 or more emails a day. Most autoresponders ignore emails with unsubscribe headers, so you miss most out-of-office replies.',
  },
  {
    value: 'link',
    label: 'Link only',
    help: 'Out-of-office replies reach you. Does not meet the one-click rule for bulk senders.',
  },
  {
    value: 'reply-line',
    label: 'Reply “stop”',
    help: 'Overture opts out people who reply “stop”. The most personal method, for small campaigns.',
  },
]

const onOff = (isOn: boolean): string => (isOn ? 'on' : 'off')

const FIELDS: readonly ConflictField<Values>[] = [
  { key: 'name', label: 'Name' },
  { key: 'trackOpens', label: 'Track opens', format: ({ trackOpens }) => onOff(trackOpens) },
  { key: 'trackClicks', label: 'Track clicks', format: ({ trackClicks }) => onOff(trackClicks) },
  {
    key: 'unsubscribe',
    label: 'Unsubscribe method',
    format: ({ unsubscribe }) => STYLES.find(({ value }) => value === unsubscribe)!.label,
  },
  { key: 'optOutText', label: 'Footer text', format: ({ optOutText }) => optOutText ?? 'default, in the language of the lead' },
]

export function GeneralForm({ campaign }: { campaign: Campaign }) {
  const { api } = useWorkspace()
  const { name, trackOpens, trackClicks, unsubscribe, optOutText } = campaign
  const draft = useDraft<Values>({ name, trackOpens, trackClicks, unsubscribe, optOutText }, campaign.updatedAt)
  const { value, set } = draft
  const save = useDraftSave(draft, {
    ...savesCampaign(campaign.id),
    send: (body, options) => api.campaigns.updateSettings(campaign.id, body, { ...options, ifMatch: draft.version }),
    done: 'Settings saved',
  })
  const nameIssue = issueFor(save.error, 'name')
  return (
    <DraftCard
      title="General"
      description="Applies immediately"
      draft={draft}
      fields={FIELDS}
      save={save}
      mayWrite={useMayChange(campaign)}
      isWrong={!value.name.trim()}
      hidesError={nameIssue !== null}
      verb="Save settings"
      className="flex flex-col gap-5 p-4"
    >
      <Field label="Name" error={nameIssue} help="Only your team sees this name.">
        <Input value={value.name} onValueChange={typed => set({ name: typed })} />
      </Field>
      <div className="grid gap-3 sm:grid-cols-2">
        <Switch
          label="Track opens"
          help="Adds an invisible image and turns plain text into HTML. May hurt deliverability."
          checked={value.trackOpens}
          onChange={trackOpens => set({ trackOpens })}
        />
        <Switch
          label="Track clicks"
          help="Routes links through Overture. Links that show their own address are not changed."
          checked={value.trackClicks}
          onChange={trackClicks => set({ trackClicks })}
        />
      </div>
      <fieldset>
        <legend className="mb-2 font-medium">Unsubscribe method</legend>
        <div className="grid gap-2 sm:grid-cols-3">
          {STYLES.map(({ value: style, label, help }) => (
            <RadioCard key={style} name="unsubscribe" checked={value.unsubscribe === style} onChange={() => set({ unsubscribe: style })}>
              <span className="block font-medium">{label}</span>
              <span className="mt-0.5 block text-soft text-xs">{help}</span>
            </RadioCard>
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
          placeholder={
            value.unsubscribe === 'reply-line' ? 'Reply “stop” and I will not write again.' : 'If you would rather not hear from me'
          }
          onValueChange={typed => set({ optOutText: typed || null })}
        />
      </Field>
    </DraftCard>
  )
}
