import { Link, type LinkProps } from '@tanstack/react-router'

export interface TabLink {
  to: LinkProps['to']
  label: string
}

/** Tabs that are addresses of their own: for parts of a section. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly TabLink[] }) {
  return (
    <nav aria-label={label} className="mb-5 flex gap-5 overflow-x-auto border-line border-b">
      {tabs.map(({ to, label: words }) => (
        <Link
          key={to}
          to={to as string}
          activeOptions={{ includeSearch: false }}
          className="flex h-9 shrink-0 items-center border-transparent border-b-2 font-medium text-faint text-sm transition-colors hover:text-ink"
          activeProps={{ className: 'border-accent! text-ink!', 'aria-current': 'page' }}
        >
          {words}
        </Link>
      ))}
    </nav>
  )
}
