import type { CustomCellRendererProps } from 'ag-grid-react'
import { Dropdown, Tooltip } from 'antd'
import { Link, useLocation } from 'react-router'
import type { ColumnPlan } from '@/api/types'
import { Icon } from '@/components/icon'
import { propertyUI } from '@/registry/properties'
import { isEmptyValue } from '@/sdk/property'
import { recordPath } from '@/sdk/record-link'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { markClass } from '../row-marks'
import type { ListAction } from '../use-list-actions'
import type { ShownRow } from '../use-tree-rows'
import type { GridContext, GridRow } from './grid'
import styles from './grid.module.css'

const INLINE = 3
const INDENT = 20

/** The record's name: opens it, carries the tree's branch, and shows the row's actions when pointed at. */
export function LinkCell({
  value,
  data,
  plan: column,
  context,
}: CustomCellRendererProps<GridRow> & { plan: ColumnPlan }) {
  const t = useText()
  const texts = useTextContext()
  const location = useLocation()
  if (!data) return null
  if (!('data' in data)) return <span className={styles.totals}>{t('list.totals')}</span>
  const { controller, rowActions } = (context as { get: () => GridContext }).get()
  const { config } = controller
  const mark = data.mark?.cells?.[column.propertyCode]
  const own = isEmptyValue(value) ? t('list.unnamed') : propertyUI(column.propertyType).text(value, column, texts)
  const words = mark?.text ?? own
  return (
    <span className={styles.linkCell} style={controller.tree ? { paddingInlineStart: data.depth * INDENT } : undefined}>
      {controller.tree && <Branch row={data} onToggle={() => controller.store.getState().toggleRow(data.id)} />}
      <Link
        className={`${styles.link} ${markClass(mark)}`}
        title={mark?.hint ?? words}
        to={recordPath({
          schemaCode: config.schemaCode,
          sheetCode: config.sheetCode ?? null,
          queryCode: config.queryCode,
          id: data.id,
        })}
        state={{ background: location }}
      >
        {words}
      </Link>
      {data.sequenceStatus === 'DRAFT' && <span className={styles.badge}>{t('list.draft')}</span>}
      {data.sequenceStatus === 'PROCESSING' && <span className={styles.badge}>{t('list.processing')}</span>}
      <RowActions row={data} actions={rowActions.filter((action) => action.enabled([data]))} />
    </span>
  )
}

function Branch({ row, onToggle }: { row: ShownRow; onToggle: () => void }) {
  const t = useText()
  if (!row.branch) return <span className={styles.branch} />
  const open = row.branch !== 'closed'
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles.branch}
      aria-expanded={open}
      aria-busy={row.branch === 'loading'}
      aria-label={open ? t('list.collapse') : t('list.expand')}
      onClick={onToggle}
    >
      <Icon name={open ? 'down' : 'right'} size={12} />
    </button>
  )
}

function RowActions({ row, actions }: { row: ShownRow; actions: ListAction[] }) {
  const t = useText()
  if (actions.length === 0) return null
  const [inline, more] = [actions.slice(0, INLINE), actions.slice(INLINE)]
  return (
    <span className={styles.rowActions}>
      {inline.map((action) => (
        <Tooltip key={action.name} title={action.hint ?? action.label} mouseEnterDelay={0.5}>
          <button type="button" tabIndex={-1} aria-label={action.label} onClick={() => action.run([row])}>
            {action.icon ? <Icon name={action.icon} size={15} /> : action.label}
          </button>
        </Tooltip>
      ))}
      {more.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: more.map((action) => ({ key: action.name, label: action.label, onClick: () => action.run([row]) })),
          }}
        >
          <button type="button" tabIndex={-1} aria-label={t('list.moreActions')}>
            <Icon name="more" size={15} />
          </button>
        </Dropdown>
      )}
    </span>
  )
}
