// What other slices may ask about messages.
export { countSendsInFlight, postponeLead, releaseSendsOfDeadWorkers } from './send-queries.ts'
