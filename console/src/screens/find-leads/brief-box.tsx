import { useState } from 'react'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { Form } from '@/ui/field.tsx'
import { AlertIcon, InfoIcon, SearchIcon } from '@/ui/icons.tsx'
import { isMac, Kbd } from '@/ui/keyboard.tsx'
import { LeaveGuard } from '@/ui/leave-guard.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import type { Proposal } from './data.ts'

/** Each of these briefs has matches in the demo directory. */
const EXAMPLES = [
  'CTOs, VPs and heads of engineering at software or SaaS companies in Europe with more than 50 employees, not banks',
  'Founders of fintech companies in Europe',
  'Sales directors and heads of sales in California, at most 2 per company',
]

interface BriefBoxProps {
  brief: string | undefined
  proposal: Proposal | undefined
  isReading: boolean
  error: unknown
  onRead: (brief: string) => void
}

/** The brief, and the parts that Overture did not understand. */
export function BriefBox({ brief, proposal, isReading, error, onRead }: BriefBoxProps) {
  const [typed, setTyped] = useState(brief ?? '')
  const [base, setBase] = useState(brief)
  const isTyped = typed.trim() !== '' && typed.trim() !== base?.trim()
  // The back button shows the previous brief, unless the user has typed since.
  if (brief !== base) {
    setBase(brief)
    if (!isTyped) setTyped(brief ?? '')
  }
  const read = () => {
    if (typed.trim()) onRead(typed.trim())
  }
  return (
    <Card>
      <Form onSubmit={read} className="flex flex-col gap-3">
        <LeaveGuard loses={isTyped} />
        <label htmlFor="brief" className="font-semibold text-base">
          Describe your ideal lead
        </label>
        <textarea
          id="brief"
          rows={3}
          maxLength={8000}
          value={typed}
          placeholder="Use your own words, in English, German, French or Spanish."
          onChange={event => setTyped(event.target.value)}
          onKeyDown={event => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) read()
          }}
          className="field-box field-text w-full px-2.5 py-2 placeholder:text-faint"
        />
        <div className="flex items-center justify-between gap-3">
          <span className="hidden items-center gap-1 text-faint text-xs sm:flex">
            <Kbd>{isMac ? '⌘' : 'Ctrl'}</Kbd>
            <Kbd>Enter</Kbd> creates the filters. Nothing is bought.
          </span>
          <Button type="submit" variant="primary" pending={isReading} disabled={!typed.trim()}>
            {brief ? 'Update filters' : 'Create filters'}
          </Button>
        </div>
        {brief || typed ? null : (
          <ul className="flex flex-col items-start gap-1.5" aria-label="Examples">
            {EXAMPLES.map(example => (
              <li key={example}>
                <button
                  type="button"
                  onClick={() => {
                    setTyped(example)
                    onRead(example)
                  }}
                  className="flex items-start gap-2 rounded-lg border border-line px-2.5 py-1.5 text-left text-soft hover:border-line-strong hover:bg-hover hover:text-ink"
                >
                  <SearchIcon className="mt-0.5 shrink-0 text-faint" />
                  {example}
                </button>
              </li>
            ))}
          </ul>
        )}
        <ErrorNote error={error} />
        {proposal && !error ? <Interpretation proposal={proposal} /> : null}
      </Form>
    </Card>
  )
}

function Interpretation({ proposal: { unmatched, context, engine, fallbackReason } }: { proposal: Proposal }) {
  return (
    <div className="flex flex-col gap-2" aria-live="polite">
      {unmatched.length > 0 ? (
        <p className="flex items-start gap-2 rounded-lg bg-warn-wash px-3 py-2 text-warn">
          <AlertIcon className="mt-0.5 shrink-0" />
          <span>
            <span className="font-medium">Not understood and ignored: </span>
            {unmatched.map((words, index) => (
              <span key={words}>
                {index > 0 ? ', ' : ''}“{words}”
              </span>
            ))}
          </span>
        </p>
      ) : null}
      {context.length > 0 ? (
        <p className="flex items-start gap-2 text-faint text-xs">
          <InfoIcon className="mt-0.5 shrink-0" />
          <span>Understood, but not used as a filter: {context.map(words => `“${words}”`).join(', ')}</span>
        </p>
      ) : null}
      <p className="text-faint text-xs">
        {engine === 'llm' ? 'Filters created with AI.' : 'Filters created without AI.'}
        {fallbackReason ? ' The AI model was not available.' : ''}
      </p>
    </div>
  )
}
