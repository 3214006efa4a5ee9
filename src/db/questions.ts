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

export async function askAlone(connect: Connect, question: pg.QueryConfig): Promise<pg.QueryResult> {
  const client = await connect()
  try {
    const answer = await client.query(question)
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
  const answers = questions.map(question => client.query(question))
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
