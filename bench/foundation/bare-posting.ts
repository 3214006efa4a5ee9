import { randomUUID } from 'node:crypto'
import { Agent, request } from 'undici'

interface Task {
  sink: string
  connections: number
  requests: number
}

/** The limit of the network: bodies of the same shape, neither signed nor stored. */
async function run({ sink, connections, requests }: Task): Promise<{ perSecond: number }> {
  const dispatcher = new Agent({ connections })
  const body = JSON.stringify({
    id: randomUUID(),
    type: 'campaign.paused',
    timestamp: '2026-01-01T00:00:00.000Z',
    workspaceId: randomUUID(),
    seq: 1,
    data: { name: 'Campaign 1', campaignId: randomUUID() },
  })
  const headers = {
    'content-type': 'application/json',
    'webhook-id': randomUUID(),
    'webhook-timestamp': '1767225600',
    'webhook-signature': `v1,${'x'.repeat(44)}`,
  }
  const post = async (count: number): Promise<void> => {
    let left = count
    const lane = async (): Promise<void> => {
      while (left-- > 0) await (await request(sink, { method: 'POST', headers, body, dispatcher })).body.dump()
    }
    await Promise.all(Array.from({ length: connections }, lane))
  }
  await post(requests / 4)
  const startedAt = performance.now()
  await post(requests)
  const perSecond = requests / ((performance.now() - startedAt) / 1000)
  await dispatcher.close()
  return { perSecond }
}

process.once('message', task => {
  void run(task as Task).then(result => process.send!(result, () => process.disconnect()))
})
