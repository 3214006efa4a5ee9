import type { ReactNode } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { type ApiCall, CopyAs } from '@/ui/copy-as.tsx'
import { PageHeader } from '@/ui/page-header.tsx'
import { NoPermission } from '@/ui/states.tsx'
import { TabLinks } from '@/ui/tab-links.tsx'

const TABS = [
  { to: '/developers/operations', label: 'Operations' },
  { to: '/developers/events', label: 'Events' },
  { to: '/developers/webhooks', label: 'Webhooks' },
  { to: '/developers/keys', label: 'Tokens and keys' },
  { to: '/developers/sessions', label: 'Sessions' },
  { to: '/developers/credits', label: 'Credits' },
  { to: '/developers/audit', label: 'Audit' },
] as const

export interface PageProps {
  title: string
  description: ReactNode
  mark?: ReactNode
  above?: ReactNode
  /** What the page needs to be seen. */
  scope: string
  /** It shows what is the person's own, and not the workspace's. */
  isOwn?: boolean
  /** The request whose answer the page shows; below the workspace unless it begins with `/`. */
  call: ApiCall
  actions?: ReactNode
  children: ReactNode
}

/** Every page of this section says which request it is made from. */
export function Page({ title, description, mark, above, scope, isOwn, call, actions, children }: PageProps) {
  const { id, may, mayOwn } = useWorkspace()
  const path = call.path.startsWith('/') ? call.path : `/v1/workspaces/${id}/${call.path}`
  const tabs = <TabLinks label="Developers" tabs={TABS} />
  if (!(isOwn ? mayOwn : may)(scope)) {
    return (
      <>
        {tabs}
        <PageHeader title={title} />
        <NoPermission scope={scope} />
      </>
    )
  }
  return (
    <>
      {tabs}
      <PageHeader
        title={title}
        description={description}
        mark={mark}
        above={above}
        actions={
          <>
            <CopyAs call={{ ...call, path }} />
            {actions}
          </>
        }
      />
      {children}
    </>
  )
}

/** A list with the filters that are set, as a request. */
export function listCall(path: string, sdk: string, filters: Record<string, string | undefined> = {}): ApiCall {
  const set = Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const query = new URLSearchParams(set)
  return {
    method: 'GET',
    path: set.length > 0 ? `${path}?${query}` : path,
    sdk: `overture.${sdk}(${set.length > 0 ? JSON.stringify(Object.fromEntries(set)) : ''})`,
  }
}
