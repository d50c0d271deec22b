import { type FormField, localName, resolveProperty, useLocale, useText } from '@sluice/sdk'
import { memo } from 'react'
import styles from './grid.module.css'

/** The names of the columns. */
export const GridHead = memo(function GridHead({ columns }: { columns: FormField[] }) {
  const t = useText()
  const locale = useLocale()
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      <div role="columnheader" aria-colindex={1} className={styles.number}>
        {t('form.rowNumber')}
      </div>
      {columns.map((column, index) => (
        <div
          key={column.propertyCode}
          role="columnheader"
          aria-colindex={index + 2}
          className={styles.title}
          data-head={index}
          data-align={resolveProperty(column.propertyType).align}
          title={localName(column, locale)}
        >
          {localName(column, locale)}
          {column.required && !column.readOnly && (
            <span className={styles.mark} role="img" aria-label={t('sheet.required')}>
              *
            </span>
          )}
        </div>
      ))}
    </div>
  )
})
