import { Glyph, type Icon } from './icons.tsx'

// Icons of the inbox, of mailboxes and of home: apart, so that the first screen does not load them.

export const AttachmentIcon: Icon = props => (
  <Glyph
    d="m15.5 9.5-5.8 5.800a3.3 3.3 0 0 1-4.700-4.700l6.300-6.300a2.2 2.2 0 0 1 3.100 3.100l-6.200 6.200a1.1 1.1 0 0 1-1.600-1.600l5.300-5.300"
    {...props}
  />
)
export const AnswerIcon: Icon = props => <Glyph d="M8 5 3.500 9.500 8 14M4 9.500h7.500a5 5 0 0 1 5 5V16" {...props} />
export const BlockIcon: Icon = props => <Glyph d="M10 17.500a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM4.800 4.800l10.400 10.400" {...props} />
export const EyeIcon: Icon = props => (
  <Glyph
    d="M2 10s3-5.500 8-5.500 8 5.500 8 5.500-3 5.500-8 5.500S2 10 2 10ZM10 12.300a2.3 2.3 0 1 0 0-4.600 2.3 2.3 0 0 0 0 4.600Z"
    {...props}
  />
)
export const ClockIcon: Icon = props => <Glyph d="M10 17.500a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 5.800V10l2.800 1.800" {...props} />
export const FlaskIcon: Icon = props => (
  <Glyph d="M8 3h4M8.500 3v5L4 15.500a1 1 0 0 0 .9 1.500h10.200a1 1 0 0 0 .9-1.500L11.500 8V3M6 12.500h8" {...props} />
)
