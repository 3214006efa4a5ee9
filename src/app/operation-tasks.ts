import { campaignTasks } from '../modules/campaigns/tasks.ts'
import { erasureTasks } from '../modules/erasures/tasks.ts'
import { healthTasks } from '../modules/health/tasks.ts'
import { leadSearchTasks } from '../modules/lead-searches/tasks.ts'
import { leadTasks } from '../modules/leads/tasks.ts'
import { lifecycleTasks } from '../modules/lifecycle/tasks.ts'
import { mailboxTasks } from '../modules/mailboxes/tasks.ts'
import { directoryTasks } from '../modules/people/tasks.ts'
import { replyTasks } from '../modules/replies/tasks.ts'
import { testMessageTasks } from '../modules/sandbox/tasks.ts'
import { sequenceTasks } from '../modules/sequences/tasks.ts'
import { trackingHostTasks } from '../modules/tracking/tasks.ts'
import type { OperationTasks } from '../operations/tasks.ts'
import { erasePerson } from './erase-person.ts'

/** Everything that a worker carries out for accepted writes. */
export const operationTasks: OperationTasks = {
  ...campaignTasks,
  ...lifecycleTasks,
  ...sequenceTasks,
  ...leadTasks,
  ...leadSearchTasks,
  ...directoryTasks,
  ...erasureTasks(erasePerson),
  ...replyTasks,
  ...mailboxTasks,
  ...healthTasks,
  ...trackingHostTasks,
  ...testMessageTasks,
}
