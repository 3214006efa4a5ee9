import { useState } from 'react'
import { Segmented } from '../ui/segmented.tsx'
import { type Answer, type Endpoint, resultOf, type Schemas, successesOf } from './document.ts'
import { exampleOf } from './example-value.ts'
import { exampleIn } from './examples.ts'
import { useFilling } from './filling.tsx'
import { Panel } from './panel.tsx'
import { TryIt } from './try-it.tsx'

const LANGUAGES = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
] as const

/** The request and its answer as code. */
export function CodePanel({ endpoint, schemas }: { endpoint: Endpoint; schemas: Schemas }) {
  const filling = useFilling()
  const code = exampleIn(filling.language, endpoint, schemas, filling)
  const result = resultOf(endpoint, schemas)
  const answers = successesOf(endpoint).filter(answer => answer.type === 'application/json')
  return (
    <>
      <Panel
        name="Request"
        code={code}
        language={filling.language}
        head={<Segmented label="Language of the example" options={LANGUAGES} value={filling.language} onChange={filling.setLanguage} />}
      />
      <TryIt endpoint={endpoint} schemas={schemas} />
      {answers.length > 0 ? <AnswerPanel key={endpoint.id} answers={answers} schemas={schemas} /> : null}
      {result ? <Panel name="Result of the operation" code={JSON.stringify(exampleOf(result, schemas), null, 2)} language="json" /> : null}
    </>
  )
}

function AnswerPanel({ answers, schemas }: { answers: Answer[]; schemas: Schemas }) {
  // The usual one: what an operation answers at once, and not that it was asked for before.
  const [status, setStatus] = useState((answers.find(answer => answer.status !== '200') ?? answers[0]!).status)
  const answer = answers.find(candidate => candidate.status === status) ?? answers[0]!
  const value = exampleOf(answer.schema!, schemas)
  return (
    <Panel
      name="Answer"
      code={JSON.stringify(value, null, 2)}
      language="json"
      head={
        answers.length > 1 ? (
          <Segmented
            label="Status of the answer"
            options={answers.map(item => ({ value: item.status, label: item.status }))}
            value={status}
            onChange={setStatus}
          />
        ) : (
          <span className="font-mono text-faint text-xs">{status}</span>
        )
      }
    />
  )
}
