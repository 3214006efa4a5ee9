import { icon } from './icons.tsx'

// For the few screens that take or give a file.

export const UploadIcon = icon('M10 13V3.5M6 7l4-3.5L14 7M3.5 12.5v4h13v-4')
export const DownloadIcon = icon('M10 3.5V13M6 9.5l4 3.5 4-3.5M3.5 12.5v4h13v-4')
