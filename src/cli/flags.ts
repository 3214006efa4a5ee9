import { wrongUsage } from '../lib/command-failure.ts'
import { suggestion } from './nearest.ts'

/** `text` takes a value, `list` one each time it is given, a `switch` none. */
type FlagKind = 'text' | 'list' | 'switch'

interface Flag {
  kind: FlagKind
  /** What it does, in the help. */
  text: string
  /** What the value is called in the help. */
  value?: string
}

export type FlagSet = Record<string, Flag>

export class Flags {
  readonly #given = new Map<string, string[]>()

  add(name: string, value: string): void {
    this.#given.set(name, [...(this.#given.get(name) ?? []), value])
  }

  has(name: string): boolean {
    return this.#given.has(name)
  }

  /** The last one counts, so that an alias can hold a default. */
  text(name: string): string | undefined {
    return this.#given.get(name)?.at(-1)
  }

  list(name: string): string[] {
    return this.#given.get(name) ?? []
  }

  isOn(name: string): boolean {
    return (this.text(name) ?? 'false') !== 'false'
  }

  names(): string[] {
    return [...this.#given.keys()]
  }
}

interface ReadArgs {
  positionals: string[]
  flags: Flags
}

const camel = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/**
 * Reads `--name value`, `--name=value` and switches. `kindOf` knows the flags of the command; `campaign-id` is taken for
 * `campaignId` where only that is known.
 */
export function readArgs(
  args: readonly string[],
  kindOf: (name: string) => FlagKind | undefined,
  names: readonly string[],
  command: string,
): ReadArgs {
  const flags = new Flags()
  const positionals: string[] = []
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') {
      positionals.push(...rest)
      break
    }
    if (arg === '-h') arg = '--help'
    if (!arg.startsWith('--')) {
      positionals.push(arg)
      continue
    }
    const [, written, inline] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(arg)!
    const name = kindOf(written!) ? written! : camel(written!)
    const kind = kindOf(name)
    if (!kind) throw wrongUsage(`There is no --${written}.${suggestion(written!, names, '--')}`, `overture ${command} --help`)
    if (kind === 'switch') {
      const isSaid = inline === undefined && (rest[0] === 'true' || rest[0] === 'false')
      flags.add(name, inline ?? (isSaid ? rest.shift()! : 'true'))
      continue
    }
    const value = inline ?? rest.shift()
    if (value === undefined) throw wrongUsage(`--${written} needs a value.`, `overture ${command} --help`)
    flags.add(name, value)
  }
  return { positionals, flags }
}
