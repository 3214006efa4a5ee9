import type { Identity } from '@overture/sdk'
import { Button } from '@/ui/button.tsx'
import { DoorTitle, FrontDoor } from './front-door.tsx'

type OtherSessionProps = { identity: Identity; onStay: () => void; onUse: () => void }

/** Anybody can send a link of their own. Used without a question, it would make somebody work in the workspace of a stranger. */
export function OtherSession({ identity: { user, token }, onStay, onUse }: OtherSessionProps) {
  return (
    <FrontDoor>
      <DoorTitle>You are signed in already</DoorTitle>
      <p className="mt-1 text-soft">
        You are signed in as <strong>{user ? `${user.name} (${user.email})` : token.name}</strong>. This link may belong to another account.
        Use it only if you made it yourself: what you enter afterwards goes to that account.
      </p>
      <div className="mt-5 flex flex-wrap gap-2">
        <Button variant="primary" size="lg" onClick={onStay} autoFocus>
          Stay signed in
        </Button>
        <Button size="lg" onClick={onUse}>
          Use the link
        </Button>
      </div>
    </FrontDoor>
  )
}
