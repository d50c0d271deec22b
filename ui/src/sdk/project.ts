import { create } from 'zustand'
import type { QueryCondition } from '@/api/types'
import { readStored, writeStored } from '@/lib/stored'
import type { FilterValue } from './property'

const KEY = 'project'

/** The project that somebody works in, as this browser keeps it. */
export interface Project {
  projectKey: string
  projectName: string
  /** The model that projects are records of. */
  model: string
  /** The project and those below it. */
  keys: string[]
}

const accept = (value: unknown): value is Project =>
  typeof value === 'object' &&
  value !== null &&
  'projectKey' in value &&
  'projectName' in value &&
  'model' in value &&
  'keys' in value &&
  Array.isArray(value.keys)

/** Null = all projects. */
export const useProject = create<{ project: Project | null }>(() => ({ project: readStored(KEY, accept) }))

export function chooseProject(project: Project | null) {
  useProject.setState({ project })
  writeStored(KEY, project)
}

/** The filter of a list that is on projects: the first that refers to their model. A list without one shows all projects. */
export const projectCondition = (conditions: QueryCondition[], project: Project): string | null =>
  conditions.find((one) => one.visible && one.relativeCode?.toLowerCase() === project.model.toLowerCase())
    ?.propertyCode ?? null

export const projectFilter = (project: Project): FilterValue => ({
  value: project.keys.join(';'),
  label: project.projectName,
})
