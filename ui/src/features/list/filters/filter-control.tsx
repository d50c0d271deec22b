import type { QueryCondition } from '@/api/types'
import { FilterField } from '@/registry/filter-field'
import type { ListController } from '../use-list-controller'

/** One condition of a list. */
export function FilterControl({ condition, controller }: { condition: QueryCondition; controller: ListController }) {
  const code = condition.propertyCode
  return (
    <FilterField
      condition={condition}
      schemaCode={controller.config.schemaCode}
      value={controller.filters[code] ?? null}
      invalid={controller.ignored.some((one) => one.propertyCode === code)}
      onChange={(value) => controller.setFilter(code, value)}
      onSubmit={() => void controller.refresh()}
    />
  )
}
