import { FilterField } from '@/registry/filter-field'
import { propertyUI } from '@/registry/properties'
import { effectiveFilters } from '@/sdk/conditions'
import type { PortalFilterProps, PortalValueProps } from '@/sdk/portal'
import { isEmptyValue } from '@/sdk/property'
import styles from './record-parts.module.css'

/** The visible conditions of a list, as its own panel has them. */
export function Filters({ config, filters, onChange }: PortalFilterProps) {
  const { queryConditions, schemaCode } = config
  const effective = effectiveFilters(queryConditions, filters)
  return (
    <div className={styles.filters}>
      {queryConditions
        .filter(({ visible }) => visible)
        .map((condition) => (
          <FilterField
            key={condition.propertyCode}
            condition={condition}
            schemaCode={schemaCode}
            value={effective[condition.propertyCode] ?? null}
            onChange={(value) => onChange(condition.propertyCode, value)}
            onSubmit={() => {}}
          />
        ))}
    </div>
  )
}

/** A value as the cells of lists draw it; in words where its type has no cell. */
export function Value({ value, field, text }: PortalValueProps) {
  const { Cell } = propertyUI(field.propertyType)
  if (isEmptyValue(value)) return null
  return Cell ? <Cell value={value} field={field} /> : <span title={text}>{text}</span>
}
