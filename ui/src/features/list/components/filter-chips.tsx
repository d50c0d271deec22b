import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { propertyUI } from '@/registry/properties'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import type { ListController } from '../use-list-controller'
import styles from './filter-chips.module.css'

/** What restricts the list now, in words, each with its way out. */
export function FilterChips({ controller }: { controller: ListController }) {
  const t = useText()
  const locale = useLocale()
  const context = useTextContext()
  if (controller.visibleFilters.length === 0) return null
  return (
    <ul className={styles.chips} aria-label={t('list.filters')}>
      {controller.visibleFilters.map((condition) => {
        const value = controller.filters[condition.propertyCode]
        if (!value) return null
        const name = localName(condition, locale)
        const words =
          propertyUI(condition.propertyType).filterText?.(value, condition, context) ?? value.label ?? value.value
        return (
          <li key={condition.propertyCode} className={styles.chip}>
            <span className={styles.text} title={words}>
              {t('list.chip', { name, value: words })}
            </span>
            <button
              type="button"
              aria-label={t('list.clearFilter', { name })}
              onClick={() => controller.setFilter(condition.propertyCode, null)}
            >
              <Icon name="close" size={12} />
            </button>
          </li>
        )
      })}
      <li>
        <button type="button" className={styles.clear} onClick={controller.clearFilters}>
          {t('list.clearAll')}
        </button>
      </li>
    </ul>
  )
}
