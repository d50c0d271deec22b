import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useFilterText } from '@/registry/filter-text'
import { useText } from '@/sdk/use-text'
import type { ListController } from '../use-list-controller'
import styles from './filter-chips.module.css'

/** What restricts the list now, in words, each with its way out; and an order that the list cannot have. */
export function FilterChips({ controller }: { controller: ListController }) {
  const t = useText()
  const locale = useLocale()
  const say = useFilterText()
  const { lostSort, figure } = controller
  if (controller.visibleFilters.length === 0 && !lostSort && !figure) return null
  const sorted = controller.config.queryColumns.find((column) => column.propertyCode === lostSort)
  const values = figure?.others.join(locale === 'zh' ? '、' : ', ')
  const figured = values
    ? t('filter.figureOf', { name: figure?.name ?? '', values })
    : t('filter.figure', { name: figure?.name ?? '' })
  return (
    <ul className={styles.chips} aria-label={t('list.filters')}>
      {figure && (
        <li className={styles.chip}>
          <span className={styles.text} title={figured}>
            {figured}
          </span>
          <button type="button" aria-label={t('filter.dropFigure')} onClick={controller.dropFigure}>
            <Icon name="close" size={12} />
          </button>
        </li>
      )}
      {controller.visibleFilters.map((condition) => {
        const value = controller.filters[condition.propertyCode]
        if (!value) return null
        const name = localName(condition, locale)
        const text = say(condition, value)
        return (
          <li
            key={condition.propertyCode}
            className={styles.chip}
            data-invalid={controller.ignored.includes(condition) || undefined}
          >
            <span className={styles.text} title={text}>
              {text}
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
      {lostSort && (
        <li className={styles.chip} data-invalid title={t('filter.lostSort')}>
          <span className={styles.text}>
            {t('filter.sortChip', { name: sorted ? localName(sorted, locale) : lostSort })}
          </span>
          <button type="button" aria-label={t('filter.dropIgnored')} onClick={() => controller.setSort(null)}>
            <Icon name="close" size={12} />
          </button>
        </li>
      )}
      {(controller.visibleFilters.length > 0 || figure) && (
        <li>
          <button type="button" className={styles.clear} onClick={controller.clearFilters}>
            {t('list.clearAll')}
          </button>
        </li>
      )}
    </ul>
  )
}
