import type { Proposal } from '#brief-reader'
import { completeJson, type LlmConfig, LlmError } from '../../lib/llm.ts'
import { readAnswer, UnusableAnswer } from './llm-answer.ts'
import { ANSWER_SCHEMA, SYSTEM, userMessage } from './llm-question.ts'
import { mergeReadings } from './merge.ts'

/**
 * A second reading of the brief by a language model. It is not believed on its word: each value must quote the brief,
 * numbers must stand in their quote, and where a place lies is said by our gazetteer alone. What passes is merged with the
 * reading of the rules (see `merge.ts`). Any failure leaves the proposal of the rules standing.
 */
export async function refineWithLlm(brief: string, offline: Proposal, llm: LlmConfig, signal?: AbortSignal): Promise<Proposal> {
  try {
    const answer = await completeJson(
      { system: SYSTEM, user: userMessage(brief, offline), schema: ANSWER_SCHEMA, name: 'lead_filters' },
      llm,
      signal,
    )
    return mergeReadings(offline, readAnswer(brief, answer))
  } catch (error) {
    const fallbackReason = error instanceof LlmError ? error.reason : error instanceof UnusableAnswer ? error.message : 'unexpected'
    return { ...offline, engine: 'rules', fallbackReason }
  }
}
