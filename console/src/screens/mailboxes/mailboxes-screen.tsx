import type { Provider } from '@overture/sdk'
import { Link } from '@tanstack/react-router'
import { useWorkspace } from '@/data/session.ts'
import { readableAddress } from '@/ui/address.ts'
import { Badge, Status } from '@/ui/badge.tsx'
import { buttonClass } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { CopyAs } from '@/ui/copy-as.tsx'
import { type Column, DataTable } from '@/ui/data-table.tsx'
import { formatCount } from '@/ui/format.ts'
import { MailboxIcon, PlusIcon } from '@/ui/icons.tsx'
import { PageHeader } from '@/ui/page.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { useMailboxes } from './data.ts'
import { InboxState, Load } from './mailbox-state.tsx'
import { TrackingHost } from './tracking-host.tsx'

const COLUMNS: Column<Provider>[] = [
  {
    id: 'address',
    header: 'Mailbox',
    card: 'head',
    className: 'max-w-80',
    cell: mailbox => (
      <>
        <span className="block break-words sm:truncate">{readableAddress(mailbox.fromEmail)}</span>
        <span className="block truncate font-normal text-faint text-xs">
          <bdi>{mailbox.name}</bdi>
          {mailbox.kind === 'smtp' ? ` · ${mailbox.settings.smtp?.host ?? ''}` : ''}
        </span>
      </>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    card: 'mark',
    cell: mailbox => (
      <span className="flex flex-wrap items-center gap-1.5 max-sm:flex-col max-sm:items-end">
        <Status status={mailbox.status} />
        {mailbox.kind === 'sandbox' ? <Badge tone="info">Sandbox</Badge> : null}
      </span>
    ),
  },
  { id: 'load', header: 'Today', cell: mailbox => <Load mailbox={mailbox} /> },
  {
    id: 'cap',
    header: 'Daily limit',
    align: 'right',
    from: 'md',
    cell: mailbox => (
      <>
        <span className="block">{formatCount(mailbox.dailyCap)}</span>
        {mailbox.load.limitToday < mailbox.dailyCap ? (
          <span className="block text-faint text-xs">ramp-up: {formatCount(mailbox.load.limitToday)} today</span>
        ) : null}
      </>
    ),
  },
  { id: 'inbox', header: 'Inbox', from: 'lg', cell: mailbox => <InboxState mailbox={mailbox} /> },
]

export function MailboxesScreen() {
  const { may } = useWorkspace()
  const pages = useMailboxes()
  const connect = may('providers:write') ? (
    <Link to="/mailboxes/new" className={buttonClass('primary')}>
      <PlusIcon />
      Connect mailbox
    </Link>
  ) : null
  return (
    <>
      <PageHeader
        title="Mailboxes"
        description="The accounts your campaigns send from and receive replies in."
        actions={
          <>
            <CopyAs call={overture => overture.providers.list()} />
            {connect}
          </>
        }
      />
      <Card isFlush>
        <DataTable
          label="Mailboxes"
          columns={COLUMNS}
          pages={pages}
          rowLink={mailbox => ({ to: '/mailboxes/$providerId', params: { providerId: mailbox.id } })}
          empty={
            <EmptyState icon={MailboxIcon} title="No mailboxes yet" actions={connect}>
              Connect your email account, or start with a sandbox whose simulated recipients reply within a minute.
            </EmptyState>
          }
        />
      </Card>
      {may('workspaces:read') ? (
        <div className="mt-5">
          <TrackingHost />
        </div>
      ) : null}
    </>
  )
}
