/** "Mon, Nov 16, 09:00 Europe/Berlin": in the time zone of the campaign, or else of the user. */
export function wordMoment(at: string, timeZone: string | null | undefined): string {
  const options = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const words = new Intl.DateTimeFormat('en', { ...options, ...(timeZone ? { timeZone } : {}) }).format(new Date(at))
  return timeZone ? `${words} ${timeZone}` : words
}
