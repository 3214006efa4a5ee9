import { Card } from '@/ui/card.tsx'
import { EmptyState } from '@/ui/states.tsx'

export function SequenceScreen() {
  return (
    <Card isFlush>
      <EmptyState title="Nothing here yet">This screen is being built.</EmptyState>
    </Card>
  )
}
