import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from './session.ts'

export function useWorkspaceSettings() {
  const { api, id } = useWorkspace()
  return useQuery({ queryKey: ['settings', id], queryFn: ({ signal }) => api.workspaces.getSettings({ signal }) })
}
