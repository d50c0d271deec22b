import { Button, Checkbox, Input } from 'antd'
import { type DragEvent, type KeyboardEvent, useState } from 'react'
import { Highlight } from '@/components/highlight'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useMatcher } from '@/lib/use-matcher'
import { useText } from '@/sdk/use-text'
import { isShown, moveColumn, toggleColumn } from '../column-settings'
import type { ListController } from '../use-list-controller'
import styles from './column-popover.module.css'

/** All columns with their names: ticked ones are shown, in this order. */
export function ColumnPanel({ controller }: { controller: ListController }) {
  const t = useText()
  const locale = useLocale()
  const [query, setQuery] = useState('')
  const [dragged, setDragged] = useState<string | null>(null)
  const match = useMatcher(query !== '')
  const { store } = controller
  const all = controller.columns
  const { setColumns, resetColumns } = store.getState()
  const state = controller.settings
  const drop = (event: DragEvent, to: number) => {
    event.preventDefault()
    if (dragged) setColumns(moveColumn(controller.config.queryColumns, state, dragged, to))
  }
  const onKey = (event: KeyboardEvent, code: string, index: number) => {
    const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined
    if (!step) return
    event.preventDefault()
    setColumns(moveColumn(controller.config.queryColumns, state, code, index + step))
  }
  return (
    <div className={styles.panel}>
      <Input
        size="small"
        variant="filled"
        allowClear
        prefix={<Icon name="search" size={14} />}
        placeholder={t('list.columnSearch')}
        aria-label={t('list.columnSearch')}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <ul className={styles.list}>
        {all.map((column, index) => {
          const name = localName(column, locale)
          const hits = query ? match(name, query) : []
          if (hits === null) return null
          return (
            <li
              key={column.propertyCode}
              className={styles.row}
              draggable={!query}
              data-dragged={dragged === column.propertyCode || undefined}
              onDragStart={() => setDragged(column.propertyCode)}
              onDragEnter={(event) => drop(event, index)}
              onDragOver={(event) => event.preventDefault()}
              onDragEnd={() => setDragged(null)}
            >
              <Checkbox
                checked={isShown(column, state)}
                onChange={() => setColumns(toggleColumn(column, state))}
                onKeyDown={(event) => onKey(event, column.propertyCode, index)}
              >
                <Highlight text={name} positions={hits} />
              </Checkbox>
              <span className={styles.handle}>
                <Icon name="drag" size={14} />
              </span>
            </li>
          )
        })}
      </ul>
      <Button size="small" type="text" onClick={resetColumns}>
        {t('list.resetColumns')}
      </Button>
    </div>
  )
}
