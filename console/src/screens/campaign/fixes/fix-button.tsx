import type { Campaign, Fix, IfLifted } from '@overture/sdk'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { stringLiteral } from '@/ui/call-text.ts'
import { CodeBlock } from '@/ui/copy.tsx'
import { asCurl, CopyAs } from '@/ui/copy-as.tsx'
import { FormDialog } from '@/ui/dialog.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { useMailboxes, useSchedule } from '../data.ts'
import { fillBlanks, type PlannedFix, planFix } from './plan-fix.ts'

export interface FixButtonProps {
  campaign: Campaign
  fix: Fix | null
  /** What the service expects to change. */
  ifLifted?: IfLifted | null
}

/** The request that solves a problem, as a button. It says what it will do and asks before it does it. */
export function FixButton({ campaign, fix, ifLifted = null }: FixButtonProps) {
  const { may } = useWorkspace()
  const { data: schedule } = useSchedule(campaign.id)
  const { data: mailboxes = [] } = useMailboxes()
  const [isOpen, setOpen] = useState(false)
  if (!fix) return null
  const planned = planFix(fix, { campaign, schedule, mailboxes })
  if (!planned) {
    const { method, path } = fix
    const body = JSON.stringify(fix.body)
    const curl = asCurl(location.origin + path, { method, headers: { 'content-type': 'application/json' }, body })
    return <CopyAs call={{ curl, sdk: `fetch('${path}', { method: '${method}', body: ${stringLiteral(body)} })` }} />
  }
  if (!may(planned.scope)) {
    return (
      <p className="text-faint text-xs">
        {planned.label}: requires the scope <code className="font-mono">{planned.scope}</code>
      </p>
    )
  }
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {planned.label}…
      </Button>
      {isOpen ? <FixDialog campaign={campaign} fix={fix} planned={planned} ifLifted={ifLifted} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

interface FixDialogProps {
  campaign: Campaign
  fix: Fix
  planned: PlannedFix
  ifLifted: IfLifted | null
  onClose: () => void
}

function FixDialog({ campaign, fix, planned, ifLifted, onClose }: FixDialogProps) {
  const { api } = useWorkspace()
  const [values, setValues] = useState<Record<string, string>>({})
  const body = fillBlanks(fix.body, values)
  const isComplete = planned.blanks.every(name => values[name]?.trim())
  const perform = useOperation({
    send: (filled: Record<string, unknown>, options) => planned.send(api, filled, options) as Promise<unknown>,
    touches: [['campaigns'], ['campaign', campaign.id], ['providers'], ['readiness', campaign.id], ['simulation', campaign.id]],
    done: planned.done,
    onDone: onClose,
  })
  return (
    <FormDialog
      onClose={onClose}
      title={planned.label}
      description={planned.words}
      verb={planned.label}
      operation={perform}
      isComplete={isComplete}
      onSubmit={() => void perform.run(body)}
    >
      {planned.blanks.map((name, index) => (
        <Field key={name} label={name.replace(/^variables\./, '')}>
          <Input
            value={values[name] ?? ''}
            onChange={event => setValues(before => ({ ...before, [name]: event.target.value }))}
            autoFocus={index === 0}
          />
        </Field>
      ))}
      {ifLifted ? <p className="rounded-lg bg-info-wash px-3 py-2 text-info">Expected result: {ifLifted.text}.</p> : null}
      <CodeBlock
        title="API request"
        code={`${fix.method} ${fix.path}\n${fix.method === 'PUT' ? `if-match: ${campaign.updatedAt}\n` : ''}\n${JSON.stringify(body, null, 2)}`}
      />
    </FormDialog>
  )
}
