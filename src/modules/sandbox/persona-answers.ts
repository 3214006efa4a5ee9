/** What simulated recipients write, by the kind of reply. The texts are so clear that the classification is certain. */
export const PERSONA_ANSWERS = {
  positive: [
    'Hi,\n\nthis looks interesting. Could we set up a call next week?',
    'Thanks for writing. Please send me more information and your pricing.',
    "Good timing, we are looking at this right now. Let's talk on Thursday at 10.",
    'Happy to chat. Send me your calendar link.',
  ],
  negative: [
    'Thank you, but we are not interested.',
    'No thanks, we already have a solution for this.',
    "Thanks for reaching out. This isn't a fit for us.",
  ],
  neutral: [
    'Not now, maybe next quarter. Try me again in three months.',
    "I'm not the right person for this. I have forwarded your message to my colleague.",
  ],
  opt_out: ['Please remove me from your list.', 'Stop emailing me.', 'unsubscribe'],
}
