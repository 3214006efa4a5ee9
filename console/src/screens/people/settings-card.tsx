import type { WorkspaceSettings, WorkspaceSettingsUpdate } from '@overture/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { type OperationPhase, useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { Form } from '@/ui/form.tsx'
import { isSame } from '@/ui/is-same.ts'
import { LeaveGuard } from '@/ui/leave-guard.tsx'
import { ErrorNote } from '@/ui/states.tsx'

export interface PartProps {
  settings: WorkspaceSettings
}

type Name = 'contactRules' | 'domainHealth' | 'optOutLines'

interface Part {
  disabled: boolean
  isChanged: boolean
  isBusy: boolean
  phase: OperationPhase
  error: unknown
  body: WorkspaceSettingsUpdate
  updatedAt: string
  save: () => void
  undo: () => void
}

/** One of the settings as it is typed. Each is saved alone, and only over the version that was shown. */
export function usePart<Of extends Name>(settings: WorkspaceSettings, name: Of) {
  const { api, id, may } = useWorkspace()
  const queries = useQueryClient()
  const [seen, setSeen] = useState(settings)
  const [base, setBase] = useState(settings)
  const [value, set] = useState<WorkspaceSettings[Of]>(base[name])
  // What somebody else changes shows where nothing was typed. Where something was, it stays over the version that was shown: the service then refuses it.
  const isTyped = !isSame(value, base[name])
  if (settings !== seen) {
    setSeen(settings)
    if (!isTyped || isSame(settings[name], base[name]) || isSame(settings[name], value)) {
      setBase(settings)
      if (!isTyped) set(settings[name])
    }
  }
  const { updatedAt } = base
  const body: WorkspaceSettingsUpdate = { [name]: value }
  const operation = useOperation({
    send: (asked: WorkspaceSettingsUpdate, options) => api.workspaces.updateSettings(asked, { ...options, ifMatch: updatedAt }),
    touches: [['settings'], ['campaigns'], ['campaign']],
    done: 'It holds from now on',
    // Who types on before the settings are read again types over what was saved just now.
    onDone: ({ settings: saved }) => {
      queries.setQueryData(['settings', id], saved)
      setBase(saved)
    },
  })
  const part: Part = {
    disabled: !may('workspaces:write'),
    isChanged: isTyped,
    isBusy: operation.isBusy,
    phase: operation.phase,
    error: operation.error,
    body,
    updatedAt,
    save: () => void operation.run(body),
    undo: () => {
      setBase(settings)
      set(settings[name])
    },
  }
  return { ...part, value, set }
}

interface SettingsCardProps {
  part: Part
  title: string
  description: string
  verb: string
  children: ReactNode
}

export function SettingsCard({ part, title, description, verb, children }: SettingsCardProps) {
  return (
    <Card
      title={title}
      description={description}
      actions={<CopyAs call={overture => overture.workspaces.updateSettings(part.body, { ifMatch: part.updatedAt }).wait()} />}
    >
      <Form className="flex flex-col gap-5" onSubmit={part.save}>
        <LeaveGuard loses={part.isChanged && !part.isBusy} />
        <ErrorNote error={part.error} />
        {children}
        {part.disabled ? null : (
          <div className="flex items-center gap-2">
            <Button type="submit" variant="primary" phase={part.phase} disabled={!part.isChanged}>
              {verb}
            </Button>
            {part.isChanged && !part.isBusy ? (
              <Button variant="ghost" onClick={part.undo}>
                Undo
              </Button>
            ) : null}
          </div>
        )}
      </Form>
    </Card>
  )
}
