import { Button, Checkbox, Input, Modal, Segmented } from 'antd'
import { type KeyboardEvent, useState } from 'react'
import { Highlight } from '@/components/highlight'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useReturnFocus } from '@/lib/return-focus'
import { useMatcher } from '@/lib/use-matcher'
import { useText } from '@/sdk/use-text'
import { fixedCodes } from '../table/column-defs'
import {
  type ColumnSettings,
  type Density,
  isShown,
  moveColumn,
  orderColumns,
  showAll,
  toggleColumn,
} from '../table/column-settings'
import type { ListController } from '../use-list-controller'
import styles from './column-dialog.module.css'
import { useDragOrder } from './use-drag-order'

const HEIGHT = 36

/** Which columns a list shows, in which order, and how high its rows are. Nothing changes until it is confirmed. */
export function ColumnDialog({ controller }: { controller: ListController }) {
  useReturnFocus()
  const t = useText()
  const locale = useLocale()
  const { queryColumns } = controller.config
  const { setColumns, resetColumns, setDensity, openPanel } = controller.store.getState()
  const [draft, setDraft] = useState<ColumnSettings>(controller.settings)
  const [density, chooseDensity] = useState<Density>(controller.density)
  const [query, setQuery] = useState('')
  const match = useMatcher(query !== '')
  const columns = orderColumns(queryColumns, draft)
  const order = columns.map((column) => column.propertyCode)
  const shown = columns.filter((column) => isShown(column, draft)).length
  const move = (code: string, to: number) => setDraft(moveColumn(queryColumns, draft, code, to))
  const fixed = fixedCodes(
    controller.config,
    columns.filter((column) => isShown(column, draft)),
  )
  const drag = useDragOrder(order, HEIGHT, move)
  const found = columns.flatMap((column) => {
    const hits = query ? match(localName(column, locale), query) : []
    return hits === null ? [] : [{ column, hits }]
  })
  const onKey = (event: KeyboardEvent, code: string) => {
    const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined
    if (!step || fixed.has(code)) return
    event.preventDefault()
    move(code, order.indexOf(code) + step)
  }
  const close = () => openPanel(null)
  const reset = () => {
    resetColumns()
    close()
  }
  const save = () => {
    setColumns(draft)
    setDensity(density)
    close()
  }
  return (
    <Modal
      open
      width={480}
      title={t('list.columns')}
      onCancel={close}
      footer={
        <div className={styles.foot}>
          <Button type="text" onClick={reset}>
            {t('list.resetColumns')}
          </Button>
          <span className={styles.gap} />
          <Button onClick={close}>{t('common.cancel')}</Button>
          <Button type="primary" onClick={save}>
            {t('common.apply')}
          </Button>
        </div>
      }
    >
      <div className={styles.head}>
        <Input
          allowClear
          prefix={<Icon name="search" size={14} />}
          placeholder={t('list.columnSearch')}
          aria-label={t('list.columnSearch')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <Segmented<Density>
          aria-label={t('list.density')}
          value={density}
          onChange={chooseDensity}
          options={[
            { value: 'compact', label: t('list.compact') },
            { value: 'comfortable', label: t('list.comfortable') },
          ]}
        />
      </div>
      <div className={styles.all}>
        <Checkbox
          checked={shown === columns.length}
          indeterminate={shown > 0 && shown < columns.length}
          onChange={(event) => setDraft(showAll(queryColumns, draft, event.target.checked))}
        >
          {t('table.allColumns')}
        </Checkbox>
        <span>{t('table.columnsShown', { shown, all: columns.length })}</span>
      </div>
      {!query && <p className={styles.hint}>{t('table.dragHint')}</p>}
      <ul ref={drag.list} className={styles.list} data-dragging={drag.dragged !== null || undefined}>
        <li aria-hidden="true" style={{ height: found.length * HEIGHT }} />
        {found.map(({ column, hits }, i) => {
          const code = column.propertyCode
          const name = localName(column, locale)
          return (
            <li
              key={code}
              className={styles.row}
              data-dragged={drag.dragged === code || undefined}
              style={{ transform: `translateY(${query ? i * HEIGHT : drag.offset(code)}px)` }}
            >
              <span className={styles.place} aria-hidden="true">
                {order.indexOf(code) + 1}
              </span>
              <Checkbox
                checked={isShown(column, draft)}
                onChange={() => setDraft(toggleColumn(column, draft))}
                onKeyDown={(event) => onKey(event, code)}
              >
                <Highlight text={name} positions={hits} />
              </Checkbox>
              {!query && fixed.has(code) && (
                <span className={styles.pinned} title={t('table.pinned')}>
                  <Icon name="lock" size={14} />
                  <span className="visually-hidden">{t('table.pinned')}</span>
                </span>
              )}
              {!query && !fixed.has(code) && (
                <span className={styles.handle} title={t('table.dragHint')} {...drag.handle(code)}>
                  <Icon name="drag" size={14} />
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {shown === 0 && (
        <p role="status" className={styles.none}>
          {t('list.noColumns')}
        </p>
      )}
    </Modal>
  )
}
