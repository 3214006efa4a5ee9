import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { PlayIcon } from '../ui/icons.tsx'
import { callOf, urlOf } from './calls.ts'
import type { Endpoint, Schemas } from './document.ts'
import { useFilling } from './filling.tsx'
import { Panel } from './panel.tsx'

type Outcome = { id: string; status: string; text: string }

/** Sends the request of the example, once there is a token. Reading only: nothing is changed by somebody who looks around. */
export function TryIt({ endpoint, schemas }: { endpoint: Endpoint; schemas: Schemas }) {
  const filling = useFilling()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [isBusy, setBusy] = useState(false)
  const call = callOf(endpoint, schemas, filling)
  if (endpoint.method !== 'GET' || endpoint.isPublic || call.answers !== 'json' || !filling.token) return null

  const send = async () => {
    setBusy(true)
    try {
      const headers = { authorization: `Bearer ${filling.token}`, accept: 'application/json' }
      const answer = await fetch(urlOf(call, ''), { headers, credentials: 'omit' })
      const text = JSON.stringify(await answer.json(), null, 2)
      setOutcome({ id: endpoint.id, status: `${answer.status} ${answer.statusText}`, text })
    } catch {
      setOutcome({ id: endpoint.id, status: 'no answer', text: 'The service did not answer.' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button icon={PlayIcon} onClick={send} pending={isBusy} className="self-start">
        Send this request
      </Button>
      {outcome?.id === endpoint.id ? (
        <Panel
          name="What came back"
          code={outcome.text}
          language="json"
          head={<span className="font-mono text-faint text-xs">{outcome.status}</span>}
        />
      ) : null}
    </>
  )
}
