/** By the same rule as the service: a body with tags is HTML, and any other is plain text. */
export const isHtml = (body: string): boolean =>
  /<\/(p|div|a|b|i|strong|em|span|table|ul|ol|h[1-6]|body|html)\s*>|<(br|p|div|html|!doctype)\b[^<>]*>/i.test(body)

/** Paragraphs and line breaks as HTML. Templates stay as they are. */
export const asHtml = (text: string): string =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map(paragraph => `<p>${paragraph.trim().replaceAll('\n', '<br>\n')}</p>`)
    .join('\n')

/** The text of HTML. It is parsed in a document that loads nothing and runs nothing. */
export function asText(html: string): string {
  const page = new DOMParser().parseFromString(html.replace(/\s*\n\s*/g, ' '), 'text/html')
  for (const element of page.querySelectorAll('script, style')) element.remove()
  for (const element of page.querySelectorAll('br')) element.replaceWith('\n')
  for (const element of page.querySelectorAll('li')) element.prepend('- ')
  for (const element of page.querySelectorAll('p, div, h1, h2, h3, h4, ul, ol, li, tr'))
    element.append(element.tagName === 'LI' ? '\n' : '\n\n')
  return (page.body.textContent ?? '')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n[ \t]+/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
