import { lazy } from 'react'
import { loadLaterTexts } from '@/i18n/i18n'

/** Signature and quick opinions, as a tab of the personal settings. */
export const TaskSettings = lazy(() =>
  Promise.all([import('@/features/workflow/settings/task-preferences'), loadLaterTexts()]).then(([m]) => ({
    default: m.TaskPreferences,
  })),
)
