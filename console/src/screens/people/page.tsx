import { type PageProps, SectionPage } from '@/ui/page.tsx'

const SECTION = {
  label: 'Settings & privacy',
  tabs: [
    { to: '/people/suppressions', label: 'Suppressions' },
    { to: '/people/erasure', label: 'Data deletion' },
    { to: '/people/team', label: 'Team' },
    { to: '/people/settings', label: 'Workspace' },
  ],
} as const

export const Page = (props: PageProps) => <SectionPage section={SECTION} {...props} />
