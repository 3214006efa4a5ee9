import { type CsvTrial, type OperationReference, OvertureError } from '@overture/sdk'

export interface CsvAsked {
  dryRun?: boolean
  /** Headers and what becomes of them, where the guess is not what is wanted. */
  mapping: Record<string, string | null>
  onDuplicate?: 'skip' | 'update'
  leadListName?: string
}

interface Upload {
  path: string
  file: File
  asked: CsvAsked
  idempotencyKey?: string
  signal?: AbortSignal
  onProgress?: (fraction: number) => void
}

const queryOf = ({ dryRun, mapping, onDuplicate, leadListName }: CsvAsked): string =>
  new URLSearchParams({
    ...(dryRun ? { dryRun: 'true' } : {}),
    ...(Object.keys(mapping).length > 0 ? { mapping: JSON.stringify(mapping) } : {}),
    ...(onDuplicate ? { onDuplicate } : {}),
    ...(leadListName ? { leadListName } : {}),
  }).toString()

/**
 * Sends a file as it is; the browser reads it from the disk while it leaves. `fetch` cannot tell how far that is, and a file may
 * have 200 MB, so this one request is made in the older way.
 */
export function uploadCsv({
  path,
  file,
  asked,
  idempotencyKey,
  signal,
  onProgress,
}: Upload): Promise<OperationReference | { data: CsvTrial }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const query = queryOf(asked)
    request.open('POST', query ? `${path}?${query}` : path)
    request.setRequestHeader('content-type', 'text/csv')
    request.setRequestHeader('x-overture-console', '1')
    if (idempotencyKey) request.setRequestHeader('idempotency-key', idempotencyKey)
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
    request.onload = () => {
      const answer = readAnswer(request.responseText)
      if (request.status < 400 && answer) return resolve(answer as OperationReference | { data: CsvTrial })
      const said = (answer as { error?: { code: string; message: string; details?: unknown; requestId?: string } } | null)?.error
      reject(
        new OvertureError(said?.message ?? `The answer was ${request.status}.`, {
          code: said?.code ?? 'unexpected_answer',
          status: request.status,
          requestId: said?.requestId ?? request.getResponseHeader('x-request-id'),
          details: said?.details ?? null,
        }),
      )
    }
    request.onerror = () => reject(new OvertureError('No answer.', { code: 'network_error' }))
    signal?.addEventListener('abort', () => {
      request.abort()
      reject(signal.reason)
    })
    request.send(file)
  })
}

function readAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
