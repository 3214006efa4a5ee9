// What other slices may ask about the sandbox: its messages, and what its made-up people do about them.
export {
  insertSandboxMessages,
  listSandboxMessages as readSandboxMessages,
  type ReactionRow,
  type SandboxMessageRow,
  takeReaction,
} from './queries.ts'
