/** Readable addresses: `jörg@xn--bcher-kva.example` becomes jörg@bücher.example. Only for display, never for requests. */
export const readableAddress = (address: string): string =>
  address.replace(/(?<=^|[@.])xn--([a-z0-9-]+)(?=\.|$)/gi, (label, encoded: string) => {
    const text = decodeLabel(encoded.toLowerCase())
    return text !== null && isOneScript(text) ? text : label
  })

/** A label that mixes scripts may imitate another domain, so it is not decoded. */
const SCRIPTS = [
  /^[\p{Script=Latin}\d-]+$/u,
  /^[\p{Script=Cyrillic}\d-]+$/u,
  /^[\p{Script=Greek}\d-]+$/u,
  /^[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u,
]
const isOneScript = (text: string): boolean => /^[\p{L}\p{M}\p{N}-]+$/u.test(text) && SCRIPTS.some(script => script.test(text))

const [BASE, T_MIN, T_MAX, SKEW, DAMP, FIRST_BIAS, FIRST_CODE] = [36, 1, 26, 38, 700, 72, 128]

/** Punycode, RFC 3492. Null if it is not valid. */
function decodeLabel(encoded: string): string | null {
  const dash = encoded.lastIndexOf('-')
  const output = dash > 0 ? [...encoded.slice(0, dash)].map(letter => letter.codePointAt(0)!) : []
  let [code, at, bias] = [FIRST_CODE, 0, FIRST_BIAS]
  for (let place = dash > 0 ? dash + 1 : 0; place < encoded.length; ) {
    const before = at
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = Number.parseInt(encoded[place++] ?? '', 36)
      if (Number.isNaN(digit)) return null
      // In Punycode the letters come first, then the digits.
      const value = digit < 10 ? digit + 26 : digit - 10
      at += value * weight
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias))
      if (value < threshold) break
      weight *= BASE - threshold
    }
    const count = output.length + 1
    let delta = Math.floor((at - before) / (before === 0 ? DAMP : 2))
    delta += Math.floor(delta / count)
    let k = 0
    for (; delta > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) delta = Math.floor(delta / (BASE - T_MIN))
    bias = k + Math.floor(((BASE - T_MIN + 1) * delta) / (delta + SKEW))
    code += Math.floor(at / count)
    at %= count
    if (code > 0x10ffff) return null
    output.splice(at++, 0, code)
  }
  return String.fromCodePoint(...output)
}
