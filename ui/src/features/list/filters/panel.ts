import type { QueryCondition } from '@/api/types'

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
