import { Card } from '@/ui/card.tsx'
import { PageHeader } from '@/ui/page-header.tsx'
import { EmptyState } from '@/ui/states.tsx'

export function ConnectScreen() {
  return (
    <>
      <PageHeader title="Mailboxes" />
      <Card isFlush>
        <EmptyState title="Nothing here yet">This screen is being built.</EmptyState>
      </Card>
    </>
  )
}
