import type { Campaign, Fix, IfLifted } from '@overture/sdk'
import { useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { CodeBlock } from '@/ui/code-block.tsx'
import { Field, Input } from '@/ui/field.tsx'
import { FormDialog } from '@/ui/form-dialog.tsx'
import { fillBlanks, type PlannedFix } from './plan-fix.ts'

export interface FixDialogProps {
  campaign: Campaign
  fix: Fix
  planned: PlannedFix
  ifLifted: IfLifted | null
  onClose: () => void
}

export function FixDialog({ campaign, fix, planned, ifLifted, onClose }: FixDialogProps) {
  const { api } = useWorkspace()
  const [values, setValues] = useState<Record<string, string>>({})
  const body = fillBlanks(fix.body, values)
  const isComplete = planned.blanks.every(name => values[name]?.trim())
  const perform = useOperation({
    send: (filled: Record<string, unknown>, options) => planned.send(api, filled, options) as Promise<unknown>,
    touches: [['campaigns'], ['campaign', campaign.id], ['providers'], ['readiness', campaign.id], ['simulation', campaign.id]],
    done: `Done: ${planned.label.toLowerCase()}`,
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
      {ifLifted ? <p className="rounded-lg bg-info-wash px-3 py-2 text-info">The planner expects: {ifLifted.text}.</p> : null}
      <CodeBlock
        title="The request that is sent"
        code={`${fix.method} ${fix.path}\n${fix.method === 'PUT' ? `if-match: ${campaign.updatedAt}\n` : ''}\n${JSON.stringify(body, null, 2)}`}
      />
    </FormDialog>
  )
}
