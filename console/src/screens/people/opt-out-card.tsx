import type { OptOutLines } from '@overture/sdk'
import { Field, Input } from '@/ui/field.tsx'
import { type PartProps, SettingsCard, usePart } from './settings-card.tsx'

type Language = keyof OptOutLines
type Way = keyof NonNullable<OptOutLines[Language]>

const LANGUAGES: Record<Language, string> = { en: 'English', de: 'German', fr: 'French', es: 'Spanish' }
const WAYS: Record<Way, string> = { link: 'before the link', reply: 'asking for an answer' }

/** A sentence that is empty is left out, and so is a language without any. */
function withLine(lines: OptOutLines, language: Language, way: Way, text: string): OptOutLines {
  const { [language]: before, ...others } = lines
  const { [way]: _, ...rest } = before ?? {}
  const after = text.trim() === '' ? rest : { ...rest, [way]: text }
  return Object.keys(after).length === 0 ? others : { ...others, [language]: after }
}

export function OptOutCard({ settings }: PartProps) {
  const part = usePart(settings, 'optOutLines')
  return (
    <SettingsCard
      part={part}
      title="How recipients leave"
      description="The last sentence of a message, in the language of the lead. Where one is empty, ours is used; a campaign can have its own."
      verb="Save the sentences"
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
                placeholder="Our own sentence"
                onChange={event => part.set(withLine(part.value, language, way, event.target.value))}
              />
            </Field>
          )),
        )}
      </div>
    </SettingsCard>
  )
}
