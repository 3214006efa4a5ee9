import { Tabs as Base } from '@base-ui/react/tabs'

interface TabsProps<Value extends string> {
  label: string
  tabs: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

export function Tabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  return (
    <Base.Root value={value} onValueChange={chosen => onChange(chosen as Value)}>
      <Base.List aria-label={label} className="relative flex gap-5 overflow-x-auto border-line border-b">
        {tabs.map(tab => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="flex h-9 shrink-0 items-center font-medium text-faint text-sm transition-colors hover:text-ink data-active:text-ink"
          >
            {tab.label}
          </Base.Tab>
        ))}
        <Base.Indicator className="absolute bottom-0 left-0 h-0.5 w-(--active-tab-width) translate-x-(--active-tab-left) rounded-full bg-accent transition-all duration-200 ease-calm" />
      </Base.List>
    </Base.Root>
  )
}
