import { Dialog } from '@/ui/dialog.tsx'
import { isMac, Kbd } from '@/ui/kbd.tsx'

const KEYS: readonly [keys: readonly string[], what: string][] = [
  [['j'], 'The next reply'],
  [['k'], 'The one before'],
  [['r'], 'Answer'],
  [[isMac ? '⌘' : 'Ctrl', 'Enter'], 'Send the answer'],
  [['e'], 'Handled, or to do again'],
  [['1'], 'It is positive'],
  [['2'], 'It is neutral'],
  [['3'], 'It is negative'],
  [['4'], 'They want no more mail'],
  [['s'], 'Suppress the address or its domain'],
  [['/'], 'Search'],
  [['Esc'], 'Leave the answer; it is kept'],
  [['?'], 'These keys'],
]

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Keys of the inbox" size="sm">
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-2">
        {KEYS.map(([keys, what]) => (
          <div key={what} className="col-span-2 grid grid-cols-subgrid items-center">
            <dt className="flex gap-1">
              {keys.map(key => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
