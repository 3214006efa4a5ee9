export function bundle(folder: string): Promise<void>
export function declareTypes(folder: string): void
