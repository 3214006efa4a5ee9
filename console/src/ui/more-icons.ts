import { icon } from './icons.tsx'

// Icons of the inbox, of mailboxes and of home: apart, so that the first screen does not load them.

export const AttachmentIcon = icon(
  'm15.5 9.5-5.8 5.8a3.3 3.3 0 0 1-4.7-4.7l6.3-6.3a2.2 2.2 0 0 1 3.1 3.1l-6.2 6.2a1.1 1.1 0 0 1-1.6-1.6l5.3-5.3',
)
export const AnswerIcon = icon('M8 5 3.5 9.5 8 14M4 9.5h7.5a5 5 0 0 1 5 5V16')
export const BlockIcon = icon('M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM4.8 4.8l10.4 10.4')
export const EyeIcon = icon('M2 10s3-5.5 8-5.5 8 5.5 8 5.5-3 5.5-8 5.5S2 10 2 10ZM10 12.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6Z')
export const ClockIcon = icon('M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 5.8V10l2.8 1.8')
export const FlaskIcon = icon('M8 3h4M8.5 3v5L4 15.5a1 1 0 0 0 .9 1.5h10.2a1 1 0 0 0 .9-1.5L11.5 8V3M6 12.5h8')
