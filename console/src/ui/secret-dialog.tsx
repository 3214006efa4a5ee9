import { Button } from './button.tsx'
import { CodeBlock } from './code-block.tsx'
import { Dialog } from './dialog.tsx'

/** A secret, this once. It is in no cache and in no address: when the dialog is closed, nobody can show it again. */
export function SecretDialog({ title, secret, about, onClose }: { title: string; secret: string; about: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      loses="Nobody can show it again after this."
      description="It is shown this once. Put it where it is needed before you close this."
      actions={
        <Button variant="primary" onClick={onClose}>
          I have it
        </Button>
      }
    >
      <CodeBlock code={secret} />
      <p className="mt-3 text-faint text-xs">{about}</p>
    </Dialog>
  )
}
