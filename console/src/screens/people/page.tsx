import type { ReactNode } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { type ApiCall, CopyAs } from '@/ui/copy-as.tsx'
import { PageHeader } from '@/ui/page-header.tsx'
import { NoPermission } from '@/ui/states.tsx'
import { TabLinks } from '@/ui/tab-links.tsx'

const TABS = [
  { to: '/people/suppressions', label: 'Suppressions' },
  { to: '/people/erasure', label: 'Erasure' },
  { to: '/people/team', label: 'Team' },
  { to: '/people/settings', label: 'Workspace' },
] as const

export interface PageProps {
  title: string
  description: ReactNode
  /** What the page needs to be seen. */
  scope: string
  /** Its path is below the workspace. */
  call: ApiCall
  actions?: ReactNode
  children: ReactNode
}

export function Page({ title, description, scope, call, actions, children }: PageProps) {
  const { id, may } = useWorkspace()
  return (
    <>
      <TabLinks label="People and data" tabs={TABS} />
      {may(scope) ? (
        <>
          <PageHeader
            title={title}
            description={description}
            actions={
              <>
                <CopyAs call={{ ...call, path: `/v1/workspaces/${id}/${call.path}` }} />
                {actions}
              </>
            }
          />
          {children}
        </>
      ) : (
        <>
          <PageHeader title={title} />
          <NoPermission scope={scope} />
        </>
      )}
    </>
  )
}
