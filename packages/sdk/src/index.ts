export type { Api } from './api.gen.ts'
export type {
  Accepted,
  AcceptedOptions,
  List,
  OperationHandle,
  OperationOf,
  Page,
  PageQuery,
  RequestOptions,
  ResultOf,
  StreamOptions,
  WaitOptions,
  WebhookEvent,
  WriteOptions,
} from './calls.ts'
export { Overture } from './client.ts'
export { type Issue, OperationFailed, OvertureError } from './errors.ts'
export type { Options } from './http.ts'
export type * from './types.gen.ts'
export { type VerifyOptions, verifyWebhook } from './webhooks.ts'
