import { OvertureError } from '@overture/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { sessionQuery, useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { Card, KeyValue } from '@/ui/card.tsx'
import { FieldConflicts, useEdits } from '@/ui/edits.tsx'
import { Field, Form, Input } from '@/ui/field.tsx'
import { LeaveGuard } from '@/ui/leave-guard.tsx'
import { ErrorNote } from '@/ui/states.tsx'

const LABELS = { name: 'Workspace name' }

/** The name has no version that the service could compare, so it is read once more before it is written over. */
export function NameCard() {
  const { api, id, name, may } = useWorkspace()
  const queries = useQueryClient()
  const edits = useEdits({ name })
  const typed = edits.value.name.trim()
  const rename = useOperation({
    send: async (next: string, { idempotencyKey }) => {
      const now = await api.workspaces.get(id)
      const isOutdated = edits.isOutdated({ name: now.name })
      const answer = isOutdated ? null : await api.workspaces.update(id, { name: next }, { idempotencyKey })
      await queries.refetchQueries({ queryKey: sessionQuery.queryKey })
      if (!answer) throw new OvertureError('Changed meanwhile.', { code: 'precondition_failed' })
      return answer
    },
    done: 'Workspace renamed',
    repeats: true,
  })
  const submit = async () => {
    const answer = await rename.run(typed)
    if (answer) edits.settle({ name: edits.value.name }, { name: answer.name })
  }
  const isOutdated = rename.error instanceof OvertureError && rename.error.code === 'precondition_failed'
  return (
    <Card title="Name">
      <Form onSubmit={submit} className="flex flex-col gap-3">
        <LeaveGuard loses={typed !== name && !rename.isBusy} />
        <ErrorNote error={isOutdated ? null : rename.error} />
        <FieldConflicts edits={edits} labels={LABELS} />
        <div className="flex items-end gap-2">
          <Field label={LABELS.name} className="max-w-sm flex-1">
            <Input
              value={edits.value.name}
              onChange={event => edits.set({ name: event.target.value })}
              disabled={!may('workspaces:write')}
            />
          </Field>
          {may('workspaces:write') ? (
            <Button type="submit" phase={rename.phase} disabled={!typed || typed === name || edits.conflicts.length > 0}>
              Rename workspace
            </Button>
          ) : null}
        </div>
        <KeyValue
          items={[
            [
              'ID',
              <code key="id" className="break-all font-mono text-xs">
                {id}
              </code>,
            ],
          ]}
        />
      </Form>
    </Card>
  )
}
