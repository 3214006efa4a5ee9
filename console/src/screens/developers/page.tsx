import { type PageProps, SectionPage } from '@/ui/section-page.tsx'

const SECTION = {
  label: 'Developers',
  tabs: [
    { to: '/developers/operations', label: 'Operations' },
    { to: '/developers/events', label: 'Events' },
    { to: '/developers/webhooks', label: 'Webhooks' },
    { to: '/developers/keys', label: 'Tokens and keys' },
    { to: '/developers/sessions', label: 'Sessions' },
    { to: '/developers/credits', label: 'Credits' },
    { to: '/developers/audit', label: 'Audit' },
  ],
} as const

export const Page = (props: PageProps) => <SectionPage section={SECTION} {...props} />
