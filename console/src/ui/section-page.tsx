import type { ReactNode } from 'react'
import { useWorkspace } from '@/data/session.ts'
import { type ApiCall, CopyAs } from './copy-as.tsx'
import { PageHeader, type PageHeaderProps } from './page-header.tsx'
import { NoPermission } from './states.tsx'
import { type TabLink, TabLinks } from './tab-links.tsx'

export interface PageProps extends PageHeaderProps {
  /** What the page needs to be seen. */
  scope: string
  /** It shows what is the person's own, and not the workspace's. */
  isOwn?: boolean
  /** The request whose answer the page shows. */
  call: ApiCall
  children: ReactNode
}

interface SectionPageProps extends PageProps {
  section: { label: string; tabs: readonly TabLink[] }
}

/** A page of a section with tabs. It says which request it is made from. */
export function SectionPage({ section, scope, isOwn, call, actions, children, ...header }: SectionPageProps) {
  const { may, mayOwn } = useWorkspace()
  const tabs = <TabLinks {...section} />
  if (!(isOwn ? mayOwn : may)(scope)) {
    return (
      <>
        {tabs}
        <PageHeader title={header.title} />
        <NoPermission scope={scope} />
      </>
    )
  }
  return (
    <>
      {tabs}
      <PageHeader
        {...header}
        actions={
          <>
            <CopyAs call={call} />
            {actions}
          </>
        }
      />
      {children}
    </>
  )
}
