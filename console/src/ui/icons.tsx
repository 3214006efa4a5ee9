import type { SVGProps } from 'react'

type IconProps = SVGProps<SVGSVGElement>
export type Icon = (props: IconProps) => React.ReactElement

/** Icons are lines on a grid of 20, in the colour of the text around them. They are for the eye; words say the same. */
export function Glyph({ d, isFilled, ...props }: IconProps & { isFilled?: boolean }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width="16"
      height="16"
      fill={isFilled ? 'currentColor' : 'none'}
      stroke={isFilled ? 'none' : 'currentColor'}
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...props}
    >
      <path d={d} />
    </svg>
  )
}

export const HomeIcon: Icon = props => <Glyph d="M3 9.2 10 3.5l7 5.7M5 8v8h10V8M8.5 16v-4.5h3V16" {...props} />
export const CampaignIcon: Icon = props => <Glyph d="M3 9.5 17 3.5l-4 13-3.2-5.3L3 9.5ZM9.8 11.2 17 3.5" {...props} />
export const SearchIcon: Icon = props => <Glyph d="M8.75 14.5a5.75 5.75 0 1 0 0-11.5 5.75 5.75 0 0 0 0 11.5ZM13 13l4 4" {...props} />
export const FindLeadsIcon: Icon = props => (
  <Glyph
    d="M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 1v4M10 15v4M1 10h4M15 10h4M10 11.2a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4Z"
    {...props}
  />
)
export const InboxIcon: Icon = props => <Glyph d="M3 11.5 5 4.5h10l2 7v4H3v-4ZM3 11.5h4l1.2 2h3.6l1.2-2h4" {...props} />
export const MailboxIcon: Icon = props => <Glyph d="M2.5 5h15v10.5h-15zM2.5 5.5l7.5 5.7 7.5-5.7" {...props} />
export const PeopleIcon: Icon = props => (
  <Glyph
    d="M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 16.5c.4-3 2.6-4.6 5.5-4.6s5.1 1.6 5.5 4.600M13 4a2.8 2.8 0 0 1 0 5.200M15 12.300c1.7.7 2.7 2.2 3 4.2"
    {...props}
  />
)
export const PlanIcon: Icon = props => <Glyph d="m3 5.500 1.500 1.500L7 4.300M3 13.500 4.500 15 7 12.300M10 6h7M10 14h7" {...props} />
export const CodeIcon: Icon = props => <Glyph d="M6.5 6 2.5 10l4 4M13.5 6l4 4-4 4M11.5 4l-3 12" {...props} />
export const SettingsIcon: Icon = props => (
  <Glyph d="M3 6h8M15 6h2M3 14h2M9 14h8M13 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z" {...props} />
)
export const PlusIcon: Icon = props => <Glyph d="M10 4v12M4 10h12" {...props} />
export const CheckIcon: Icon = props => <Glyph d="m4 10.5 4 4 8-9" {...props} />
export const CloseIcon: Icon = props => <Glyph d="m5 5 10 10M15 5 5 15" {...props} />
export const ChevronDownIcon: Icon = props => <Glyph d="m5.5 8 4.5 4.500L14.5 8" {...props} />
export const ChevronRightIcon: Icon = props => <Glyph d="m8 5.5 4.5 4.500L8 14.5" {...props} />
export const ChevronLeftIcon: Icon = props => <Glyph d="M12 5.5 7.5 10l4.5 4.5" {...props} />
export const ChevronsIcon: Icon = props => <Glyph d="M6.5 7.5 10 4l3.5 3.500M6.5 12.5 10 16l3.5-3.5" {...props} />
export const MoreIcon: Icon = props => (
  <Glyph
    d="M4.5 11.300a1.3 1.3 0 1 0 0-2.6 1.3 1.3 0 0 0 0 2.600Zm5.5 0a1.3 1.3 0 1 0 0-2.6 1.3 1.3 0 0 0 0 2.600Zm5.5 0a1.3 1.3 0 1 0 0-2.6 1.3 1.3 0 0 0 0 2.600Z"
    isFilled
    {...props}
  />
)
export const CopyIcon: Icon = props => <Glyph d="M7 7h9.500v9.500H7zM13 7V3.500H3.500V13H7" {...props} />
export const PlayIcon: Icon = props => <Glyph d="M6 4v12l10-6L6 4Z" {...props} />
export const PauseIcon: Icon = props => <Glyph d="M7 4v12M13 4v12" {...props} />
export const ArchiveIcon: Icon = props => <Glyph d="M3 4h14v3.500H3zM4.5 7.500V16h11V7.500M8 11h4" {...props} />
export const DuplicateIcon: Icon = props => (
  <Glyph d="M7 7h9.500v9.500H7zM13 7V3.500H3.500V13H7M11.75 9.500v4.500M9.5 11.750H14" {...props} />
)
export const TrashIcon: Icon = props => <Glyph d="M3.5 5.500h13M8 5.500V3.500h4v2M5 5.500l.8 11h8.400l.8-11" {...props} />
export const EditIcon: Icon = props => <Glyph d="m12.5 4.5 3 3L7 16H4v-3l8.5-8.500Z" {...props} />
export const AlertIcon: Icon = props => <Glyph d="M10 3 2.5 16h15L10 3ZM10 8.500v3.500M10 14.200v.05" {...props} />
export const InfoIcon: Icon = props => <Glyph d="M10 17.500a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 9.500v4M10 6.700v.05" {...props} />
export const LockIcon: Icon = props => <Glyph d="M4.5 9h11v8h-11zM7 9V6.500a3 3 0 0 1 6 0V9" {...props} />
export const SunIcon: Icon = props => (
  <Glyph
    d="M10 13.500a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10 2v1.500M10 16.500V18M2 10h1.500M16.5 10H18M4.3 4.300l1.1 1.100M14.6 14.600l1.1 1.100M15.7 4.300l-1.1 1.100M5.4 14.600l-1.1 1.1"
    {...props}
  />
)
export const MoonIcon: Icon = props => <Glyph d="M16.5 11.800A6.8 6.8 0 0 1 8.2 3.500a6.8 6.8 0 1 0 8.3 8.300Z" {...props} />
export const ScreenIcon: Icon = props => <Glyph d="M2.5 4h15v9.500h-15zM7 17h6M10 13.500V17" {...props} />
export const SignOutIcon: Icon = props => <Glyph d="M8 3.500H3.500v13H8M12.5 6.5 16 10l-3.5 3.500M16 10H7.5" {...props} />
export const MenuIcon: Icon = props => <Glyph d="M3 5.500h14M3 10h14M3 14.500h14" {...props} />
export const ExternalIcon: Icon = props => <Glyph d="M8 4H4v12h12v-4M11.5 4H16v4.500M16 4l-7 7" {...props} />
export const RefreshIcon: Icon = props => <Glyph d="M16.5 10a6.5 6.5 0 1 1-2-4.700M16.5 3v3.500H13" {...props} />
export const FilterIcon: Icon = props => <Glyph d="M3 5h14M5.5 10h9M8 15h4" {...props} />
export const ArrowRightIcon: Icon = props => <Glyph d="M4 10h12M11 5l5 5-5 5" {...props} />
export const KeyIcon: Icon = props => <Glyph d="M7 13.500a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10.5 10H18v3M14.5 10v2.5" {...props} />
export const BookIcon: Icon = props => (
  <Glyph
    d="M10 5.500C8.5 4.2 6.3 3.8 3 4v11.500c3.3-.2 5.5.2 7 1.5 1.5-1.3 3.7-1.7 7-1.500V4c-3.3-.2-5.5.2-7 1.500ZM10 5.500V17"
    {...props}
  />
)
