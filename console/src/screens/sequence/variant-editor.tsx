import type { Lead } from '@overture/sdk'
import { useRef } from 'react'
import { Button } from '@/ui/button.tsx'
import { cx } from '@/ui/cx.ts'
import { Field, Input, Textarea } from '@/ui/field.tsx'
import { CodeIcon } from '@/ui/icons.tsx'
import { Menu } from '@/ui/menu.tsx'
import { Segmented } from '@/ui/segmented.tsx'
import { asHtml, asText, isHtml } from './body-format.ts'
import type { DraftVariant } from './steps.ts'
import { insertionOf, lackedBy, type TemplateVariable, variablesFor } from './variables.ts'

export interface VariantEditorProps {
  variant: DraftVariant
  isFirstStep: boolean
  isEditable: boolean
  leads: readonly Lead[]
  subjectError: string | null
  bodyError: string | null
  onChange: (variant: DraftVariant) => void
}

type Part = 'subject' | 'body'

/** Subject and body. A variable goes to where the cursor was last, with a fallback that can be typed over at once. */
export function VariantEditor({ variant, isFirstStep, isEditable, leads, subjectError, bodyError, onChange }: VariantEditorProps) {
  const fields = { subject: useRef<HTMLInputElement>(null), body: useRef<HTMLTextAreaElement>(null) }
  const last = useRef<Part>('body')
  const format = isHtml(variant.body) ? 'html' : 'text'
  const insert = (variable: TemplateVariable) => {
    const part = last.current
    const field = fields[part].current!
    const start = field.selectionStart ?? variant[part].length
    const end = field.selectionEnd ?? start
    const { text, from, to } = insertionOf(variable)
    onChange({ ...variant, [part]: variant[part].slice(0, start) + text + variant[part].slice(end) })
    // Once the menu has given the focus back.
    setTimeout(() => {
      field.focus()
      field.setSelectionRange(start + from, start + to)
    }, 60)
  }
  const entries = variablesFor(leads).map(variable => {
    const lacking = leads.length > 0 ? lackedBy(variable, leads) : 0
    return {
      label: variable.label,
      onSelect: () => insert(variable),
      hint: lacking > 0 ? `${lacking} of ${leads.length} lack it` : <code className="font-mono">{variable.name}</code>,
    }
  })
  return (
    <>
      <Field
        label="Subject"
        error={subjectError}
        {...(isFirstStep ? {} : { help: 'Empty: it goes into the thread of the step before, as an answer to it.' })}
      >
        <Input
          ref={fields.subject}
          value={variant.subject}
          readOnly={!isEditable}
          maxLength={255}
          placeholder={isFirstStep ? 'A question about {{ company }}' : 'In the same thread'}
          onFocus={() => (last.current = 'subject')}
          onChange={event => onChange({ ...variant, subject: event.target.value })}
          onKeyDown={event => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            fields.body.current?.focus()
          }}
        />
      </Field>
      <Field label="Message" error={bodyError}>
        <Textarea
          ref={fields.body}
          value={variant.body}
          readOnly={!isEditable}
          rows={Math.min(24, Math.max(9, variant.body.split('\n').length + 2))}
          placeholder={'Hi {{ firstName | default: "there" }},\n\n…'}
          className={cx('leading-relaxed', format === 'html' && 'font-mono text-xs')}
          onFocus={() => (last.current = 'body')}
          onChange={event => onChange({ ...variant, body: event.target.value })}
        />
      </Field>
      {isEditable ? (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Menu
            align="start"
            trigger={
              <Button size="sm" icon={CodeIcon}>
                Insert a variable
              </Button>
            }
            header={<div className="px-2.5 py-1.5 text-faint text-xs">With a fallback, so that nobody is left out</div>}
            entries={entries}
          />
          <Segmented
            label="Format"
            options={[
              { value: 'text', label: 'Plain text' },
              { value: 'html', label: 'HTML' },
            ]}
            value={format}
            onChange={next => {
              if (next === format) return
              onChange({ ...variant, body: next === 'html' ? asHtml(variant.body || '…') : asText(variant.body) })
            }}
          />
        </div>
      ) : null}
    </>
  )
}
