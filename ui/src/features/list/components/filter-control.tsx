import { Suspense } from 'react'
import type { QueryCondition } from '@/api/types'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { propertyUI } from '@/registry/properties'
import type { ListController } from '../use-list-controller'
import styles from './filter-control.module.css'

/** One condition with its name; what it looks like is its property's affair. */
export function FilterControl({ condition, controller }: { condition: QueryCondition; controller: ListController }) {
  const locale = useLocale()
  const { Filter } = propertyUI(condition.propertyType)
  const code = condition.propertyCode
  const id = `filter-${code}`
  if (!Filter) return null
  return (
    <div className={styles.filter}>
      <label htmlFor={id} className={styles.label} title={localName(condition, locale)}>
        {localName(condition, locale)}
      </label>
      <div className={styles.control}>
        <Suspense fallback={<div className={styles.coming} />}>
          <Filter
            id={id}
            field={condition}
            schemaCode={controller.config.schemaCode}
            value={controller.filters[code] ?? null}
            onChange={(value) => controller.setFilter(code, value)}
            onSubmit={() => void controller.refresh()}
          />
        </Suspense>
      </div>
    </div>
  )
}
