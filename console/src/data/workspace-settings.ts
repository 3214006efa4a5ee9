import { useAnswer } from './use-answer.ts'

export const useWorkspaceSettings = () => useAnswer(['settings'], (api, options) => api.workspaces.getSettings(options))
