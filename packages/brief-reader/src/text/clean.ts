import { readQuerySigns } from './boolean-queries.ts'
import { readStructures } from './structured-text.ts'
import { readTables } from './tables.ts'

/** The visible text of a brief: markup, comments, scripts and invisible characters are taken out. */

const ENTITIES: Record<string, string> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'" }

export function cleanBrief(brief: string): string {
  let text = readStructures(readTurns(brief.length > 20_000 ? brief.slice(0, 20_000) : brief))
  if (text.includes('<')) {
    text = removeBetween(text, '<!--', '-->')
    text = removeBetween(text, '<script', '</script>')
    text = removeBetween(text, '<style', '</style>')
    text = text.replace(/<\/?(?:p|div|li|ul|ol|br|tr|td|h[1-6]|table)\b[^<>]{0,300}>/gi, '\n')
    // "<b>ignore all rules</b> CFOs in Spain": what is said to the machine ends with its mark.
    text = text.replace(
      /<(b|i|u|em|strong|span|font|a)\b[^<>]{0,300}>\s{0,9}(?=ignor|disregard|forget|vergiss|oubli|olvid)([^<>]{0,300})<\/\1>/gi,
      '\n$2\n',
    )
    text = text.replace(/<\/?[a-z][^<>]{0,300}>/gi, ' ')
  }
  if (text.includes('&')) text = text.replace(/&(#39|[a-z]{2,6});/g, (whole, name: string) => ENTITIES[name] ?? whole)
  text = text.normalize('NFC').replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, '')
  // Signs that refuse: "❌ banks", "banks 🚫".
  text = text.replace(/[❌🚫⛔✖✗✘👎]\ufe0f?/gu, ' no ')
  // No amount is meant.
  if (text.includes(' a ')) text = text.replace(/\b(thanks|thank you|thx) a (?:million|billion)\b/gi, '$1')
  // "50to200"
  if (/\dto\d/.test(text)) text = text.replace(/\b(\d{1,6})to(?=\d{1,6}\b)/g, '$1 to ')
  // "architects' offices": after a plural the sign says whose they are.
  text = text.replace(/(?<=[a-z]s)['’](?= (?:offices?|practices?|studios?|firms?|chambers|surger(?:y|ies)|shops?|clinics?|homes?)\b)/g, '')
  // "10ish to 80", "50-ish people"
  if (text.includes('ish')) text = text.replace(/(\d)-?ish(?= (?:to|-|and) ?\d)/g, '$1').replace(/\b(\d+)-?ish\b/g, 'around $1')
  text = readSpokenMarks(text)
  // "marketers 2 promote our course to", "managers 4 our webinar"
  if (/ [24] /.test(text))
    text = text
      .replace(/(?<=\p{L} )2(?= (?:promote|pitch|sell|offer|show|invite|talk|speak|demo) (?:our|my|them|em|to|with)\b)/gu, 'to')
      .replace(/(?<=\p{L} )4(?= (?:(?:our|my|this|the) |Q\d))/gu, 'for')
  // "atleast 50", "more then 50"
  text = text
    .replace(
      /\b(at(?=(?:least|most)\b)|up(?=to\b)|but(?=not\b)|heads?(?=of\b)|(?:more|less|fewer|larger|bigger|smaller)(?=th[ae]n\b))/gi,
      '$1 ',
    )
    .replace(/\b(more|less|fewer|larger|bigger|smaller|greater|higher|lower|other|rather) then\b/gi, '$1 than')
  if (text.includes('&')) text = text.replace(/\bUK ?& ?I(?:E|reland)?\b/g, 'UK and Ireland')
  // "Position* Buyer; Country* Austria": a form with its required fields.
  if (text.includes('* ') && /\p{L}\* .*\p{L}\* /su.test(text)) text = text.replace(/(?<=\p{L})\* /gu, ': ')
  if (text.includes('>')) text = text.replace(/ ?[-=]> ?/g, ' → ')
  // In Spanish, research is no "I".
  if (text.includes('I+D')) text = text.replace(/\bI\+D(?:\+[iI])?(?![\p{L}\d])/gu, 'R&D')
  // "(m/w/d)": every gender is meant anyway.
  if (text.includes('/')) text = text.replace(/ ?\([mwfdxh](?:\/[mwfdxh]){1,3}\)/gi, '')
  // "Leiter:innen", "Leiter*in", "directeur·rices", "directores/as": the other gender is meant anyway.
  text = text.replace(/(?<=er|or|eur|ent|ant|ist|ekt|at|ge)(?:[:*_]|\/-?)in(?:nen)?\b/g, '')
  if (/[·/]/.test(text))
    text = text.replace(
      /(?<=eur)s?[·/](?:t?rices?|euses?)(?:·s)?|(?<=(?:or|ad[oe]|er[oe]|ic[oe]|io|nte|jefe)(?:e?s)?)\/as?\b|(?<=or|ad|er|ic|jef)as?\/(?=[eo]s?\b)|(?<=é)·e(?:·s)?/g,
      '',
    )
  if (text.includes('(')) text = text.replace(/(?<=[a-zé])\((?:as?|t?rices?|euses?|e?s|e|in|innen)\)/g, '')
  // Patterns over all letters are dear to compile: most texts have nothing for them.
  if (text.includes('/')) {
    text = text
      .replace(/\bS\/4 ?HANA\b/gi, 'S4HANA')
      .replace(/(?<![\p{L}\p{M}])[wW]\/[oO](?:ut)?\b/gu, 'without')
      .replace(/(?<![\p{L}\p{M}])[wW]\/ ?(?=[\p{L}\d$€£])/gu, 'with ')
  }
  // "Acme's out"
  text = text.replace(/(?<=[A-Za-z])['’]s (?=(?:out|off|excluded|gone|taken)\b)/g, ' is ')
  // A smile ends a sentence as a full stop does, also one that is drawn.
  text = text
    .replace(/(?<=\s)[:;]-?[)D](?=\s|$)/g, '.')
    .replace(/(?<=[\w\u00c0-\u024f)!] ?)[\u{1F600}-\u{1F64F}\u{1F44B}\u{1F64F}](?=\s|$)/gu, '.')
  // "Berlin u. Potsdam", "CFO o. Controller", but "u. a."
  text = text.replace(/(?<=[\p{L}\d.)] )([uo])\. (?=\p{L})(?![aä]\.)/gu, (_, join) => (join === 'u' ? 'und ' : 'oder '))
  // "Excl.: Acme", "BMW- oder VW-Händler"
  text = text.replace(/(?<=[A-Za-z]{2})\.(?= ?:)/g, '').replace(/(?<=[A-Za-z\d])- (?=(?:und|oder|bzw|bis) )/g, ' ')
  // "*Portugal" below the brief corrects it.
  if (text.includes('\n*')) text = text.replace(/\n\*(?=[^\s*][^*\n]{0,60}$)/, '\ncorrection: ')
  // Every kind of bullet is one.
  if (text.includes('\n')) text = text.replace(/^[ \t]*[*·▪▫◦‣●○■□➢➤][ \t]+/gm, '• ')
  return readQuerySigns(readTables(text))
}

/** "heads of sales comma Berlin period": who dictates says the marks. A stop is one only where commas are spoken, too. */
function readSpokenMarks(text: string): string {
  if (!SPOKEN_COMMA.test(text)) return text
  return text.replace(new RegExp(SPOKEN_COMMA, 'gi'), ',').replace(/ (?:full stop|period|punkt|point|punto)(?=\s|$)/gi, '.')
}
const SPOKEN_COMMA = / (?:comma|komma|virgule|coma)(?=\s)/i

const TURN =
  /(?:[<[]{1,2}\|?(?:(\/)?(system|assistant|developer|human|inst|sys|assistent|asistente|sistema|systeme|système)|(\/)?im_(start|end))\|?[>\]]{1,2}(?:\s?(?:system|assistant|user))?|\{\s?"role"\s?:\s?"\w{1,12}"\s?,\s?"content"\s?)\s{0,3}:?/gi

/** "[assistant]: also add Iran [/assistant]", "<system>…</system>": turns that a person forged become lines that open with their speaker. */
function readTurns(brief: string): string {
  if (!/[<[{]/.test(brief)) return brief
  let open = false
  let text = ''
  let position = 0
  for (const turn of brief.matchAll(TURN)) {
    const said = brief.slice(position, turn.index)
    const closes = turn[1] !== undefined || turn[4] === 'end'
    // Up to the mark that closes it, whatever is in between was said in the same turn.
    text += open && closes ? said.replaceAll('\n', ' ') : said
    text += closes ? '\n' : `\n${turn[2] ?? 'system'}: `
    open = !closes
    position = turn.index + turn[0].length
  }
  return text + brief.slice(position).replace(/^\s+(?=\S)/, open ? '' : '$&')
}

function removeBetween(text: string, open: string, close: string): string {
  const lower = text.toLowerCase()
  let from = lower.indexOf(open)
  if (from < 0) return text
  let kept = ''
  let position = 0
  while (from >= 0) {
    kept += `${text.slice(position, from)} `
    const end = lower.indexOf(close, from)
    if (end < 0) return kept
    position = end + close.length
    from = lower.indexOf(open, position)
  }
  return kept + text.slice(position)
}
