import type { Duplex } from 'node:stream'
import type pg from 'pg'

type Connect = () => Promise<pg.PoolClient>

/** What pg calls its pipeline mode: the connection does not wait for an answer before it sends the next question. */
type Pipelining = pg.PoolClient & { pipeline: boolean; connection: { stream: Duplex } }

/** Wakes other processes. `answered` is called when PostgreSQL has answered it, in whatever way. */
export interface WakeStatement {
  question: pg.QueryConfig
  answered(): void
}

export type WakeBehindCommit = (queues: ReadonlySet<string>) => WakeStatement | undefined

/** PostgreSQL ends statements before this time, so without an answer by then it is gone or frozen. */
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
  const asked = new Promise<pg.QueryResult>((resolve, reject) => {
    client.query(question, (error: Error | null, answer) => {
      clearTimeout(limit)
      if (error) reject(error)
      else resolve(answer)
    })
    // Set once the question has left: one that could not be sent must not end the connection later.
    const limit = setTimeout(giveUp, answerLimitOf(client), client as Pipelining, reject)
  })
  return asked.catch(failFromHere)
}

/** Nothing more can come over this connection. */
function giveUp(client: Pipelining, reject: (error: Error) => void): void {
  reject(new Error('Query read timeout'))
  client.connection.stream.destroy()
}

/** The stack of the error says who has asked, instead of who has read the answer. */
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

/** All of them over one connection and in one write. Each gets its answer, or fails, by itself. */
export function askTogether(connect: Connect, questions: pg.QueryConfig[]): Promise<pg.QueryResult>[] {
  if (questions.length === 1) return [askAlone(connect, questions[0]!)]
  const sending = connect().then(client => send(client as Pipelining, questions))
  return questions.map((_, index) => sending.then(answers => answers[index]!))
}

function send(client: Pipelining, questions: pg.QueryConfig[]): Promise<pg.QueryResult>[] {
  const { stream } = client.connection
  client.pipeline = true
  stream.cork()
  const answers = questions.map(question => ask(client, question))
  stream.uncork()
  void Promise.allSettled(answers).then(settled => {
    client.pipeline = false
    client.release(settled.find(answer => answer.status === 'rejected')?.reason)
  })
  return answers
}

/**
 * Sends a wake-up right behind a question that commits, and releases the connection after both. The wake-up is a hint: nobody learns
 * whether it failed.
 */
export function askAndWake(client: pg.PoolClient, question: pg.QueryConfig, wake: WakeStatement): Promise<pg.QueryResult> {
  const [answer, woken] = send(client as Pipelining, [question, wake.question])
  woken!.then(wake.answered, wake.answered)
  return answer!
}
