import type { Campaign } from '@overture/sdk'
import { useState } from 'react'
import { Button } from '@/ui/button.tsx'
import { Card } from '@/ui/card.tsx'
import { CopyIcon, EditIcon, MailboxIcon } from '@/ui/icons.tsx'
import { EmptyState } from '@/ui/states.tsx'
import { CopySequence } from './copy-sequence.tsx'

/** There is no step yet: write one, or take those of another campaign. */
export function SequenceStart({ campaign, isEditable, onWrite }: { campaign: Campaign; isEditable: boolean; onWrite: () => void }) {
  const [isCopying, setCopying] = useState(false)
  return (
    <Card>
      <EmptyState
        icon={MailboxIcon}
        title="Nothing is written yet"
        actions={
          isEditable ? (
            <>
              <Button variant="primary" icon={EditIcon} onClick={onWrite}>
                Write the first step
              </Button>
              <Button icon={CopyIcon} onClick={() => setCopying(true)}>
                Copy from another campaign
              </Button>
            </>
          ) : null
        }
      >
        A sequence is one message and the follow-ups for those who do not answer. Each step can have variants, and you see it as it arrives
        while you write.
      </EmptyState>
      {isCopying ? <CopySequence campaign={campaign} onClose={() => setCopying(false)} /> : null}
    </Card>
  )
}
