import type { Duplex } from 'node:stream'
import type pg from 'pg'

type Connect = () => Promise<pg.PoolClient>

/** PostgreSQL ends statements before this time, so without a response by then it is gone or frozen. */
const ANSWER_LIMIT_MS = 20_000
const answerLimits = new WeakMap<pg.ClientBase, number>()

/** Gives the questions of this connection another limit. */
export const setAnswerLimit = (client: pg.ClientBase, limitMs: number): void => void answerLimits.set(client, limitMs)

export const answerLimitOf = (client: pg.ClientBase): number => answerLimits.get(client) ?? ANSWER_LIMIT_MS

/**
 * Sends a question together with its callback. `pg` makes callbacks itself for promises and time limits, and assigns them to a property. V8
 * takes such functions for methods and puts them among the old objects, where each one keeps its rows until the next collection of the whole
 * heap.
 */
export function ask(client: pg.ClientBase, question: string | pg.QueryConfig): Promise<pg.QueryResult> {
  if (typeof question !== 'string' && question.name) noteUse(client, question.name)
  const asked = new Promise<pg.QueryResult>((resolve, reject) => {
    client.query(question, (error: Error | null, answer) => {
      clearTimeout(limit)
      if (error) reject(error)
      else resolve(answer)
    })
    // Set once the question has left: one that could not be sent must not end the connection later.
    const limit = setTimeout(giveUp, answerLimitOf(client), client as Connected, reject)
  })
  return asked.catch(failFromHere)
}

interface Connected extends pg.ClientBase {
  connection: { stream: Duplex; parsedStatements: Record<string, string>; close(what: { type: 'S'; name: string }): void }
}

/**
 * PostgreSQL keeps the plan of each prepared statement in each connection, 40 KB on average. With all of ours, ten connections
 * took 200 MB.
 */
export const MOST_PREPARED = 40
/** What each connection has prepared. The name that was used last is at the end. */
const prepared = new WeakMap<pg.ClientBase, Set<string>>()

function noteUse(client: pg.ClientBase, name: string): void {
  const names = prepared.get(client) ?? new Set()
  if (names.size === 0) prepared.set(client, names)
  names.delete(name)
  names.add(name)
}

/** Closes the statements that were not used for the longest time. Nothing may be under way on the connection. */
export function closeUnused(client: pg.ClientBase): void {
  const names = prepared.get(client)
  if (names === undefined || names.size <= MOST_PREPARED) return
  const { connection } = client as Connected
  for (const name of names) {
    if (names.size <= MOST_PREPARED) return
    names.delete(name)
    delete connection.parsedStatements[name]
    connection.close({ type: 'S', name })
  }
}

/** Nothing more can come over this connection. */
function giveUp(client: Connected, reject: (error: Error) => void): void {
  reject(new Error('Query read timeout'))
  client.connection.stream.destroy()
}

/** The stack of the error says who has asked, instead of who has read the response. */
function failFromHere(error: Error): never {
  Error.captureStackTrace(error)
  throw error
}

export async function askAlone(connect: Connect, question: pg.QueryConfig): Promise<pg.QueryResult> {
  const client = await connect()
  try {
    const answer = await ask(client, question)
    client.release()
    return answer
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}
