/** The first words of the commands that have the database. */
export const SERVER_COMMANDS = [
  'start',
  'worker',
  'migrate',
  'token',
  'user',
  'console-link',
  'credits',
  'secret',
  'metrics',
  'people',
  'mcp',
  'openapi',
  'config',
]

/** `api` alone is the API process: services are started like that. With an operation it calls one. */
export function isServerCommand([first = '', second]: readonly string[]): boolean {
  if (first === 'help') return second === 'server'
  if (first === 'api') return second === undefined
  // Corrections are read from the database, because they are from all workspaces.
  if (first === 'replies') return second === 'export-corrections'
  return SERVER_COMMANDS.includes(first)
}
