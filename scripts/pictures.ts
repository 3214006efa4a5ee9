import type { Page } from 'playwright-core'

/** The pictures of the README, each taken from the demo after its first start. */
export interface Picture {
  name: string
  /** `{campaign}` is the campaign of the demo that has been sending for a while. */
  path: string
  isDark?: true
  isPhone?: true
  /** Less text makes a picture smaller. */
  height?: number
  /** Runs before the picture is taken. */
  act?: (page: Page) => Promise<unknown>
}

export const PICTURES: readonly Picture[] = [
  { name: 'campaign', path: '/campaigns/{campaign}' },
  { name: 'sending', path: '/campaigns/{campaign}/sending', isDark: true },
  { name: 'sequence', path: '/campaigns/{campaign}/sequence' },
  {
    name: 'find-leads',
    path: '/find-leads',
    act: async page => {
      await page.getByRole('button', { name: /^CTOs, VPs and heads/ }).click()
      await page.getByText('from “CTOs”').waitFor()
    },
  },
  { name: 'inbox', path: '/inbox', act: page => page.getByRole('article').first().waitFor() },
  { name: 'reference', path: '/docs#campaigns.pause', height: 760, act: page => page.getByRole('button', { name: 'TypeScript' }).click() },
  { name: 'phone-home', path: '/', isPhone: true },
  { name: 'phone-inbox', path: '/inbox', isPhone: true, isDark: true },
]
