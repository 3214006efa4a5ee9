interface Queued {
  id: string
  action: string
  campaignId: string | null
}

/**
 * Splits a group into batches that are applied at once: joint operations of one action, one per campaign. They concern different campaigns,
 * so their order does not matter. The second operations of the campaigns come after all first ones. Every other operation is a batch of its
 * own.
 */
export function batchesOf<T extends Queued>(group: T[], isJoint: (operation: T) => boolean): T[][] {
  const turns = new Map<string, number>()
  const nextTurn = ({ campaignId }: T): number => {
    if (campaignId === null) return 0
    const turn = turns.get(campaignId) ?? 0
    turns.set(campaignId, turn + 1)
    return turn
  }
  const ordered = group.map(operation => ({ operation, turn: nextTurn(operation) })).sort((a, b) => a.turn - b.turn)
  const keyOf = ({ operation, turn }: (typeof ordered)[number]): string =>
    operation.campaignId !== null && isJoint(operation) ? `${turn} ${operation.action}` : `${turn} ${operation.id}`
  return [...Map.groupBy(ordered, keyOf).values()].map(batch => batch.map(({ operation }) => operation))
}
