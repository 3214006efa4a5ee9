import type { Icon } from './icons.tsx'

const lines = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.6, strokeLinecap: 'round', strokeLinejoin: 'round' } as const

export const UploadIcon: Icon = props => (
  <svg viewBox="0 0 20 20" width="16" height="16" {...lines} aria-hidden="true" {...props}>
    <path d="M10 13V3.500M6 7l4-3.500L14 7M3.500 12.500v4h13v-4" />
  </svg>
)

export const DownloadIcon: Icon = props => (
  <svg viewBox="0 0 20 20" width="16" height="16" {...lines} aria-hidden="true" {...props}>
    <path d="M10 3.500V13M6 9.500l4 3.500 4-3.500M3.500 12.500v4h13v-4" />
  </svg>
)
