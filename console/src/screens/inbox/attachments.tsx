import type { Reply } from '@overture/sdk'
import { useWorkspace } from '@/data/session.ts'
import { useOperation } from '@/data/use-operation.ts'
import { Button } from '@/ui/button.tsx'
import { formatBytes } from '@/ui/format.ts'
import { AttachmentIcon } from '@/ui/more-icons.ts'

type Attachment = Reply['attachments'][number]

/** What strangers attached is only ever saved, never shown: nobody has looked for viruses in it. */
export function Attachments({ replyId, attachments }: { replyId: string; attachments: readonly Attachment[] }) {
  return (
    <ul aria-label="Attachments" className="mt-3 flex flex-wrap gap-2">
      {attachments.map(attachment => (
        <li key={attachment.id}>
          <Download replyId={replyId} attachment={attachment} />
        </li>
      ))}
    </ul>
  )
}

function Download({ replyId, attachment }: { replyId: string; attachment: Attachment }) {
  const { api } = useWorkspace()
  const download = useOperation({
    send: async (_: null) => {
      const response = await api.replies.downloadAttachment(replyId, attachment.id)
      save(await response.blob(), attachment.filename)
    },
    toastsErrors: true,
  })
  const size = formatBytes(attachment.sizeBytes)
  if (!attachment.isKept) {
    return (
      <span className="inline-flex h-7 items-center gap-1.5 rounded-md border border-line border-dashed px-2 text-faint text-xs">
        <AttachmentIcon /> {attachment.filename} · {size}, too large to keep: it is in the mailbox
      </span>
    )
  }
  return (
    <Button
      size="sm"
      icon={AttachmentIcon}
      phase={download.phase}
      title="Saved as it came. Nobody has looked for viruses in it."
      onClick={() => void download.run(null)}
    >
      <span className="max-w-60 truncate">{attachment.filename}</span>
      <span className="text-faint">{size}</span>
    </Button>
  )
}

function save(content: Blob, filename: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = filename
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
