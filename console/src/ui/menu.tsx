import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { Spinner } from './button.tsx'
import { cx } from './cx.ts'
import type { Icon } from './icons.tsx'
import { showFocusGuards } from './keyboard.tsx'

export interface MenuEntry {
  label: ReactNode
  icon?: Icon
  onSelect: () => void
  /** The action cannot be undone. */
  isDangerous?: boolean
  disabled?: boolean
  pending?: boolean
  hint?: ReactNode
}

interface MenuProps {
  trigger: ReactElement
  /** Null is a line between groups. */
  entries: readonly (MenuEntry | null)[]
  align?: 'start' | 'end'
  header?: ReactNode
}

export function Menu({ trigger, entries, align = 'end', header }: MenuProps) {
  return (
    // Not modal: locking the page behind it would lay out the whole page twice.
    <Base.Root modal={false} onOpenChange={showFocusGuards}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align={align} className="z-50">
          <Base.Popup className="popup min-w-44 max-w-80 p-1">
            {header}
            {entries.map((entry, index) =>
              entry === null ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other key
                <Base.Separator key={index} className="-mx-1 my-1 h-px bg-line" />
              ) : (
                <Base.Item
                  // biome-ignore lint/suspicious/noArrayIndexKey: the entries of a menu keep their order
                  key={index}
                  onClick={entry.onSelect}
                  disabled={entry.disabled || entry.pending || false}
                  className={cx('popup-item', entry.isDangerous && 'text-bad data-highlighted:bg-bad-wash')}
                >
                  {entry.pending ? <Spinner /> : entry.icon ? <entry.icon className={entry.isDangerous ? '' : 'text-faint'} /> : null}
                  <span className="min-w-0 flex-1 truncate">{entry.label}</span>
                  {entry.hint ? <span className="text-faint text-xs">{entry.hint}</span> : null}
                </Base.Item>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
