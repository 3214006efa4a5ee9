import { Menu as Base } from '@base-ui/react/menu'
import { cx } from './cx.ts'
import type { MenuProps } from './menu-entries.ts'
import { Spinner } from './spinner.tsx'
import { type AskedBy, useOpenByKey } from './use-asked.ts'
import { useOpen } from './use-open.ts'

export function MenuParts({ trigger, entries, align = 'end', header, askedBy }: MenuProps & { askedBy: AskedBy }) {
  const { open, onOpenChange } = useOpen(askedBy === 'pointer')
  const button = useOpenByKey<HTMLButtonElement>(askedBy)
  return (
    // Not modal: to lock the page behind it would lay the whole page out again, twice.
    <Base.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align={align} className="z-50">
          <Base.Popup className="popup min-w-44 max-w-80 p-1">
            {header}
            {entries.map((entry, index) =>
              entry === null ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing else that tells them apart
                <Base.Separator key={index} className="-mx-1 my-1 h-px bg-line" />
              ) : (
                <Base.Item
                  // biome-ignore lint/suspicious/noArrayIndexKey: the entries of a menu stay in their places
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
