/**
 * Does `work` for each item, so many at the same time. After a failure nothing more begins. The failure is thrown when all work that had
 * begun is over, so that nothing still runs while the caller handles it.
 */
export async function inLanes<T>(count: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values()
  const failures: unknown[] = []
  const lane = async (): Promise<void> => {
    for (const item of waiting) {
      await work(item).catch(error => failures.push(error))
      if (failures.length > 0) return
    }
  }
  await Promise.all(Array.from({ length: count }, lane))
  if (failures.length > 0) throw failures[0]
}
