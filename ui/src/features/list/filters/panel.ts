import type { ListConfig, QueryCondition } from '@/api/types'
import { propertyUI } from '@/registry/properties'

/** The conditions that stand in the panel before More: as many as it has columns, and those that their author keeps there. */
export function firstConditions(conditions: QueryCondition[], columns: number): QueryCondition[] {
  const pinned = conditions.filter((condition) => condition.defaultState === 'shown').length
  let free = Math.max(columns - pinned, 0)
  return conditions.filter((condition) => {
    if (condition.defaultState === 'shown') return true
    if (condition.defaultState === 'more' || free === 0) return false
    free -= 1
    return true
  })
}

/** The conditions that have a control. */
export const controlled = ({ queryConditions }: ListConfig) =>
  queryConditions.filter((condition) => condition.visible && propertyUI(condition.propertyType).Filter)

export const columnsOf = ({ queryPresentation }: ListConfig, wanted?: number) =>
  wanted ?? (queryPresentation.queryPanelColumns || 3)

/** Codes of the conditions whose controls are on the page before More is pressed, where there is room for all columns. */
export function usualInRow(config: ListConfig, wanted?: number): string[] {
  const columns = columnsOf(config, wanted)
  const all = controlled(config)
  return (columns === 1 ? all : firstConditions(all, columns)).map(({ propertyCode }) => propertyCode)
}
