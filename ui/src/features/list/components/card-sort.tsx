import { Segmented } from 'antd'
import { useId } from 'react'
import type { ColumnPlan } from '@/api/types'
import { Choice } from '@/components/choice'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useText } from '@/sdk/use-text'
import type { ListController } from '../use-list-controller'
import styles from './card-sort.module.css'

/** What cards can be sorted by: as the table's columns, so not within a tree. */
export const sortableColumns = ({ tree, shownColumns }: ListController): ColumnPlan[] =>
  tree ? [] : shownColumns.filter((column) => column.sortable)

/** The order of cards, which have no column names to press. */
export function CardSort({ controller, columns }: { controller: ListController; columns: ColumnPlan[] }) {
  const t = useText()
  const locale = useLocale()
  const id = useId()
  const { sort } = controller.view
  return (
    <div>
      <label htmlFor={id} className={styles.label}>
        {t('list.sort')}
      </label>
      <div className={styles.controls}>
        <Choice
          id={id}
          className={styles.column ?? ''}
          allowClear
          placeholder={t('list.noSort')}
          value={sort?.code ?? null}
          options={columns.map((column) => ({ value: column.propertyCode, label: localName(column, locale) }))}
          onChange={(code?: string) => controller.setSort(code ? { code, direction: sort?.direction ?? 1 } : null)}
        />
        <Segmented<1 | 2>
          aria-label={t('list.sort')}
          disabled={!sort}
          value={sort?.direction ?? 1}
          options={[
            { value: 1, label: t('list.sortAscending') },
            { value: 2, label: t('list.sortDescending') },
          ]}
          onChange={(direction) => sort && controller.setSort({ ...sort, direction })}
        />
      </div>
    </div>
  )
}
