import type { JsonBounds } from '../lib/json-bounds.ts'
import type { TSchema } from '../lib/type.ts'

/** For arrays and objects whose schema names no limit. */
const DEFAULT_MEMBERS = 1000
/** Every body may have this many values, so that small mistakes are reported by the schema and not by this count. */
const LEAST_VALUES = 20_000
const MOST_VALUES = 1_000_000

type Node = {
  properties?: Record<string, Node>
  additionalProperties?: Node | boolean
  patternProperties?: Record<string, Node>
  maxProperties?: number
  items?: Node
  maxItems?: number
  anyOf?: Node[]
  oneOf?: Node[]
  allOf?: Node[]
}

/** The maximum size of a body that fits its schema: a larger body can be refused unread. */
export function boundsOf(schema: TSchema): JsonBounds {
  const members: number[] = [DEFAULT_MEMBERS]
  const values = measure(schema as Node, members)
  return { maxMembers: Math.max(...members), maxValues: Math.min(MOST_VALUES, Math.max(LEAST_VALUES, values)) }
}

/** The number of values that fit under this node. Also collects how many members its arrays and objects may have. */
function measure(node: Node, members: number[]): number {
  const branches = [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])]
  let values = 1 + Math.max(0, ...branches.map(branch => measure(branch, members)))
  for (const property of Object.values(node.properties ?? {})) values += measure(property, members)
  const others = [...Object.values(node.patternProperties ?? {}), node.additionalProperties].filter(each => typeof each === 'object')
  if (others.length > 0) values += counted(node.maxProperties, members) * Math.max(...others.map(each => measure(each, members)))
  if (node.items) values += counted(node.maxItems, members) * measure(node.items, members)
  return values
}

function counted(limit: number | undefined, members: number[]): number {
  const count = limit ?? DEFAULT_MEMBERS
  members.push(count)
  return count
}
