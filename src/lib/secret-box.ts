import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Everything that is derived from the master key of an installation: encryption at rest (AES-256-GCM) and signatures. Each purpose has its
 * own key, so that a signature for one purpose is never valid for another.
 */
export class SecretBox {
  readonly #keys = new Map<string, KeyObject>()
  readonly #master: Buffer

  constructor(master: Buffer) {
    if (master.length !== 32) throw new Error('a key must be 32 bytes')
    this.#master = master
  }

  #key(purpose: string): KeyObject {
    let key = this.#keys.get(purpose)
    if (!key) {
      key = createSecretKey(Buffer.from(hkdfSync('sha256', this.#master, Buffer.alloc(0), purpose, 32)))
      this.#keys.set(purpose, key)
    }
    return key
  }

  /**
   * `belongsTo` names the row and field that it is for. It is not stored, but authenticated: a person who can write to the
   * database still cannot make one row use the secret of another.
   */
  seal(purpose: string, plain: string, belongsTo = ''): Buffer {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key(`seal:${purpose}`), iv, { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(belongsTo))
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), body])
  }

  open(purpose: string, sealed: Buffer, belongsTo = ''): string {
    const iv = sealed.subarray(0, IV_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', this.#key(`seal:${purpose}`), iv, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(belongsTo))
    decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  }

  sign(purpose: string, message: string): Buffer {
    return createHmac('sha256', this.#key(`sign:${purpose}`))
      .update(message)
      .digest()
  }

  verify(purpose: string, message: string, signature: Buffer): boolean {
    const expected = this.sign(purpose, message)
    return signature.length === expected.length && timingSafeEqual(signature, expected)
  }

  /**
   * `payload.signature`, both base64url: for cursors and links that a client must not be able to create. `binding` is signed but not
   * included, so the token is valid only with the same binding.
   */
  signedToken(purpose: string, payload: string, binding = ''): string {
    const signature = this.sign(purpose, `${binding}\n${payload}`)
    return `${Buffer.from(payload).toString('base64url')}.${signature.toString('base64url')}`
  }

  openSignedToken(purpose: string, token: string, binding = ''): string | null {
    const dot = token.indexOf('.')
    if (dot < 1) return null
    const [head, tail] = [token.slice(0, dot), token.slice(dot + 1)]
    const payload = Buffer.from(head, 'base64url').toString('utf8')
    const signature = Buffer.from(tail, 'base64url')
    // Base64 allows several spellings of the same bytes; only ours is valid.
    if (Buffer.from(payload).toString('base64url') !== head || signature.toString('base64url') !== tail) return null
    return this.verify(purpose, `${binding}\n${payload}`, signature) ? payload : null
  }
}
