import type { Lead } from '@overture/sdk'
import { useRef } from 'react'
import { Button, optionsOf, Segmented } from '@/ui/button.tsx'
import { cx } from '@/ui/cx.ts'
import { Field, Input, Textarea } from '@/ui/field.tsx'
import { CodeIcon } from '@/ui/icons.tsx'
import { Menu } from '@/ui/menu.tsx'
import { misspelledVariables } from './misspelled-variables.ts'
import type { DraftVariant } from './steps.ts'

interface VariantEditorProps {
  variant: DraftVariant
  isFirstStep: boolean
  isEditable: boolean
  leads: readonly Lead[]
  subjectError: string | null
  bodyError: string | null
  onChange: (variant: DraftVariant) => void
}

type Part = 'subject' | 'body'

/** Subject and message. A variable is inserted at the last cursor position, with its fallback selected. */
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
    // After the menu has returned the focus.
    setTimeout(() => {
      field.focus()
      field.setSelectionRange(start + from, start + to)
    }, 60)
  }
  const variables = variablesFor(leads)
  const typos = misspelledVariables(
    `${variant.subject}\n${variant.body}`,
    variables.map(({ name }) => name),
  )
  const correct = ({ written, meant }: (typeof typos)[number]) => {
    const fix = (text: string) => text.replace(new RegExp(`(\\{\\{-?\\s*)${written}\\b`, 'g'), `$1${meant}`)
    onChange({ ...variant, subject: fix(variant.subject), body: fix(variant.body) })
  }
  const entries = variables.map(variable => {
    const missing = leads.length > 0 ? countWithout(variable, leads) : 0
    return {
      label: variable.label,
      onSelect: () => insert(variable),
      hint: missing > 0 ? `${missing} of ${leads.length} have no value` : <code className="font-mono">{variable.name}</code>,
    }
  })
  return (
    <>
      <Field label="Subject" error={subjectError} {...(isFirstStep ? {} : { help: 'Leave empty to reply in the same thread.' })}>
        <Input
          ref={fields.subject}
          value={variant.subject}
          readOnly={!isEditable}
          maxLength={255}
          placeholder={isFirstStep ? 'A question about {{ company }}' : 'Same thread'}
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
      {typos.map(typo => (
        <p
          key={typo.written}
          role="status"
          className="flex flex-wrap items-center gap-2 rounded-lg bg-warn-wash px-3 py-2 text-sm text-warn"
        >
          <span className="min-w-0 flex-1">
            Unknown variable <code className="font-mono">{typo.written}</code>. Did you mean <code className="font-mono">{typo.meant}</code>
            ?
          </span>
          {isEditable ? (
            <Button size="sm" onClick={() => correct(typo)}>
              Use {typo.meant}
            </Button>
          ) : null}
        </p>
      ))}
      {isEditable ? (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <Menu
            align="start"
            trigger={
              <Button size="sm" icon={CodeIcon}>
                Insert variable
              </Button>
            }
            header={<div className="px-2.5 py-1.5 text-faint text-xs">With a fallback for leads without a value</div>}
            entries={entries}
          />
          <Segmented
            label="Format"
            options={optionsOf({ text: 'Plain text', html: 'HTML' })}
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

/** The same rule as in the service: a body with tags is HTML, and every other one is plain text. */
const isHtml = (body: string): boolean =>
  /<\/(p|div|a|b|i|strong|em|span|table|ul|ol|h[1-6]|body|html)\s*>|<(br|p|div|html|!doctype)\b[^<>]*>/i.test(body)

/** Paragraphs and line breaks as HTML. Templates stay as they are. */
const asHtml = (text: string): string =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map(paragraph => `<p>${paragraph.trim().replaceAll('\n', '<br>\n')}</p>`)
    .join('\n')

/** The text of HTML. The parser loads nothing and runs no scripts. */
function asText(html: string): string {
  const page = new DOMParser().parseFromString(html.replace(/\s*\n\s*/g, ' '), 'text/html')
  for (const element of page.querySelectorAll('script, style')) element.remove()
  for (const element of page.querySelectorAll('br')) element.replaceWith('\n')
  for (const element of page.querySelectorAll('li')) element.prepend('- ')
  for (const element of page.querySelectorAll('p, div, h1, h2, h3, h4, ul, ol, li, tr'))
    element.append(element.tagName === 'LI' ? '\n' : '\n\n')
  return (page.body.textContent ?? '')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n[ \t]+/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

interface TemplateVariable {
  name: string
  label: string
  /** The text for leads without a value. Null means that every lead has one. */
  fallback: string | null
}

const FIELDS: readonly TemplateVariable[] = [
  { name: 'firstName', label: 'First name', fallback: 'there' },
  { name: 'lastName', label: 'Last name', fallback: '' },
  { name: 'fullName', label: 'Full name', fallback: 'there' },
  { name: 'company', label: 'Company', fallback: 'your company' },
  { name: 'jobTitle', label: 'Job title', fallback: 'your role' },
  { name: 'email', label: 'Email address', fallback: null },
  { name: 'senderName', label: 'Sender name', fallback: null },
]

/** The fields of every lead, and the custom variables of the first leads. */
function variablesFor(leads: readonly Lead[]): TemplateVariable[] {
  const own = [...new Set(leads.flatMap(lead => Object.keys(lead.variables)))].sort()
  return [...FIELDS, ...own.map(name => ({ name, label: name, fallback: 'something' }))]
}

/** How many of these leads have no value for it. */
const countWithout = ({ name }: TemplateVariable, leads: readonly Lead[]): number =>
  name.startsWith('sender') ? 0 : leads.filter(lead => !String(lead[name as keyof Lead] ?? lead.variables[name] ?? '').trim()).length

/** The text to insert, and the part of it that is selected afterward, so that typing replaces it. */
function insertionOf({ name, fallback }: TemplateVariable) {
  const text = fallback === null ? `{{ ${name} }}` : `{{ ${name} | default: "${fallback}" }}`
  if (fallback === null) return { text, from: text.length, to: text.length }
  const from = text.indexOf('"') + 1
  return { text, from, to: from + fallback.length }
}
