import type { ApiCall } from '@/ui/copy-as.tsx'
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

/** A list with the filters that are set, as a request. */
export function listCall(path: string, sdk: string, filters: Record<string, string | undefined> = {}): ApiCall {
  const set = Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const query = new URLSearchParams(set)
  return {
    method: 'GET',
    path: set.length > 0 ? `${path}?${query}` : path,
    sdk: `overture.${sdk}(${set.length > 0 ? JSON.stringify(Object.fromEntries(set)) : ''})`,
  }
}
