import type { ReactNode } from 'react'
import type { RunningOperation } from '@/data/use-operation.ts'
import { Card } from '@/ui/card.tsx'
import { Form } from '@/ui/field.tsx'
import { ErrorNote } from '@/ui/states.tsx'
import { type ConflictField, ConflictPanel } from '../conflict-panel.tsx'
import type { Draft } from '../draft.ts'
import { SaveBar } from '../save-bar.tsx'

interface SettingsFormProps<T extends object> {
  title: string
  description: string
  draft: Draft<T>
  fields: readonly ConflictField<T>[]
  save: Pick<RunningOperation<never, unknown>, 'phase' | 'error'>
  mayWrite: boolean
  /** Something has to be corrected first. */
  isWrong?: boolean
  /** A field says what is wrong, so that it is not said twice. */
  hidesError?: boolean
  verb: string
  onSave: () => void
  children: ReactNode
}

/** One card of the settings of a campaign. Each is saved alone. */
export function SettingsForm<T extends object>({
  title,
  description,
  draft,
  fields,
  save,
  mayWrite,
  isWrong = false,
  hidesError = false,
  verb,
  onSave,
  children,
}: SettingsFormProps<T>) {
  const { conflict } = draft
  return (
    <Form onSubmit={onSave}>
      <Card isFlush title={title} description={description}>
        {conflict || (save.error && !hidesError) ? (
          <div className="p-4 pb-0">
            {conflict ? <ConflictPanel conflict={conflict} fields={fields} onResolve={draft.resolve} /> : <ErrorNote error={save.error} />}
          </div>
        ) : null}
        {children}
        {mayWrite ? (
          <SaveBar
            isInCard
            isDirty={draft.isDirty}
            isBlocked={conflict !== null || isWrong}
            phase={save.phase}
            onReset={draft.isDirty ? draft.reset : null}
          >
            {verb}
          </SaveBar>
        ) : null}
      </Card>
    </Form>
  )
}
