import { Select as Base } from '@base-ui/react/select'
import { cx } from './cx.ts'
import { ChevronsIcon } from './icons.tsx'
import type { Option, SelectProps } from './options.ts'
import { Tick } from './tick.tsx'
import { type AskedBy, useOpenByKey } from './use-asked.ts'
import { useOpen } from './use-open.ts'

export function SelectParts<Value extends string>({
  label,
  options,
  value,
  onChange,
  placeholder,
  disabled,
  className,
  askedBy,
}: SelectProps<Value> & { askedBy: AskedBy | null }) {
  const { open, onOpenChange } = useOpen(askedBy === 'pointer')
  const button = useOpenByKey<HTMLButtonElement>(askedBy)
  return (
    <Base.Root
      items={options as Option<Value>[]}
      value={value}
      onValueChange={chosen => chosen !== null && onChange(chosen as Value)}
      disabled={disabled ?? false}
      // To lock the page behind it would lay the whole page out again, twice.
      modal={false}
      open={open}
      onOpenChange={onOpenChange}
    >
      <Base.Trigger
        ref={button}
        aria-label={label}
        className={cx('field-box flex h-8 min-w-36 items-center justify-between gap-2 pr-1.5 pl-2.5 text-sm', className)}
      >
        <Base.Value className="truncate data-placeholder:text-faint" placeholder={placeholder} />
        <Base.Icon className="text-faint">
          <ChevronsIcon />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} alignItemWithTrigger={false} className="z-50">
          <Base.Popup className="popup max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto p-1">
            <Base.List>
              {options.map(option => (
                <Base.Item key={option.value} value={option.value} className="popup-item">
                  {option.mark}
                  <Base.ItemText className="flex-1">{option.label}</Base.ItemText>
                  <Tick of={Base.ItemIndicator} />
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
