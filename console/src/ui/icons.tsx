import type { ReactElement, SVGProps } from 'react'

export type Icon = (props: SVGProps<SVGSVGElement>) => ReactElement

/** Icons are lines on a grid of 20 in the color of the text around them. Screen readers skip them, so words must say the same. */
const icon =
  (d: string, strokeWidth = 1.6): Icon =>
  props => (
    <svg
      viewBox="0 0 20 20"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...props}
    >
      <path d={d} />
    </svg>
  )

export const HomeIcon = icon('M3 9.2 10 3.5l7 5.7M5 8v8h10V8M8.5 16v-4.5h3V16')
export const CampaignIcon = icon('M3 9.5 17 3.5l-4 13-3.2-5.3L3 9.5ZM9.8 11.2 17 3.5')
export const SearchIcon = icon('M8.75 14.5a5.75 5.75 0 1 0 0-11.5 5.75 5.75 0 0 0 0 11.5ZM13 13l4 4')
export const FindLeadsIcon = icon(
  'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 1v4M10 15v4M1 10h4M15 10h4M10 11.2a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4Z',
)
export const InboxIcon = icon('M3 11.5 5 4.5h10l2 7v4H3v-4ZM3 11.5h4l1.2 2h3.6l1.2-2h4')
export const MailboxIcon = icon('M2.5 5h15v10.5h-15zM2.5 5.5l7.5 5.7 7.5-5.7')
export const PeopleIcon = icon(
  'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM2 16.5c.4-3 2.6-4.6 5.5-4.6s5.1 1.6 5.5 4.6M13 4a2.8 2.8 0 0 1 0 5.2M15 12.3c1.7.7 2.7 2.2 3 4.2',
)
export const PlanIcon = icon('m3 5.5 1.5 1.5L7 4.3M3 13.5 4.5 15 7 12.3M10 6h7M10 14h7')
export const CodeIcon = icon('M6.5 6 2.5 10l4 4M13.5 6l4 4-4 4M11.5 4l-3 12')
export const PlusIcon = icon('M10 4v12M4 10h12')
export const CheckIcon = icon('m4 10.5 4 4 8-9')
export const CloseIcon = icon('m5 5 10 10M15 5 5 15')
export const ChevronDownIcon = icon('m5.5 8 4.5 4.5L14.5 8')
export const ChevronRightIcon = icon('m8 5.5 4.5 4.5L8 14.5')
export const ChevronLeftIcon = icon('M12 5.5 7.5 10l4.5 4.5')
export const ChevronsIcon = icon('M6.5 7.5 10 4l3.5 3.5M6.5 12.5 10 16l3.5-3.5')
export const MoreIcon = icon('M4.5 10h0M10 10h0M15.5 10h0', 2.6)
export const CopyIcon = icon('M7 7h9.5v9.5H7zM13 7V3.5H3.5V13H7')
export const PlayIcon = icon('M6 4v12l10-6L6 4Z')
export const PauseIcon = icon('M7 4v12M13 4v12')
export const ArchiveIcon = icon('M3 4h14v3.5H3zM4.5 7.5V16h11V7.5M8 11h4')
export const DuplicateIcon = icon('M7 7h9.5v9.5H7zM13 7V3.5H3.5V13H7M11.75 9.5v4.5M9.5 11.75H14')
export const TrashIcon = icon('M3.5 5.5h13M8 5.5V3.5h4v2M5 5.5l.8 11h8.4l.8-11')
export const EditIcon = icon('m12.5 4.5 3 3L7 16H4v-3l8.5-8.5Z')
export const AlertIcon = icon('M10 3 2.5 16h15L10 3ZM10 8.5v3.5M10 14.2v.05')
export const InfoIcon = icon('M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 9.5v4M10 6.7v.05')
export const LockIcon = icon('M4.5 9h11v8h-11zM7 9V6.5a3 3 0 0 1 6 0V9')
export const SunIcon = icon(
  'M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M15.7 4.3l-1.1 1.1M5.4 14.6l-1.1 1.1',
)
export const MoonIcon = icon('M16.5 11.8A6.8 6.8 0 0 1 8.2 3.5a6.8 6.8 0 1 0 8.3 8.3Z')
export const ScreenIcon = icon('M2.5 4h15v9.5h-15zM7 17h6M10 13.5V17')
export const SignOutIcon = icon('M8 3.5H3.5v13H8M12.5 6.5 16 10l-3.5 3.5M16 10H7.5')
export const MenuIcon = icon('M3 5.5h14M3 10h14M3 14.5h14')
export const RefreshIcon = icon('M16.5 10a6.5 6.5 0 1 1-2-4.7M16.5 3v3.5H13')
export const FilterIcon = icon('M3 5h14M5.5 10h9M8 15h4')
export const ArrowRightIcon = icon('M4 10h12M11 5l5 5-5 5')
export const KeyIcon = icon('M7 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10.5 10H18v3M14.5 10v2.5')
export const BookIcon = icon('M10 5.5C8.5 4.2 6.3 3.8 3 4v11.5c3.3-.2 5.5.2 7 1.5 1.5-1.3 3.7-1.7 7-1.5V4c-3.3-.2-5.5.2-7 1.5ZM10 5.5V17')
export const UploadIcon = icon('M10 13V3.5M6 7l4-3.5L14 7M3.5 12.5v4h13v-4')
export const DownloadIcon = icon('M10 3.5V13M6 9.5l4 3.5 4-3.5M3.5 12.5v4h13v-4')
export const AttachmentIcon = icon(
  'm15.5 9.5-5.8 5.8a3.3 3.3 0 0 1-4.7-4.7l6.3-6.3a2.2 2.2 0 0 1 3.1 3.1l-6.2 6.2a1.1 1.1 0 0 1-1.6-1.6l5.3-5.3',
)
export const AnswerIcon = icon('M8 5 3.5 9.5 8 14M4 9.5h7.5a5 5 0 0 1 5 5V16')
export const BlockIcon = icon('M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM4.8 4.8l10.4 10.4')
export const EyeIcon = icon('M2 10s3-5.5 8-5.5 8 5.5 8 5.5-3 5.5-8 5.5S2 10 2 10ZM10 12.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6Z')
export const ClockIcon = icon('M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 5.8V10l2.8 1.8')
export const FlaskIcon = icon('M8 3h4M8.5 3v5L4 15.5a1 1 0 0 0 .9 1.5h10.2a1 1 0 0 0 .9-1.5L11.5 8V3M6 12.5h8')
