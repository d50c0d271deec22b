import { Dropdown } from 'antd'
import { Link, useLocation } from 'react-router'
import type { ColumnPlan } from '@/api/types'
import { Hint } from '@/components/hint'
import { Icon, iconElement } from '@/components/icon'
import { element } from '@/lib/element'
import { propertyUI } from '@/registry/properties'
import { isEmptyValue } from '@/sdk/property'
import { recordPath } from '@/sdk/record-link'
import { useText } from '@/sdk/use-text'
import type { ListAction } from '../actions/list-action'
import type { ShownRow } from '../data/use-tree-rows'
import type { GridContext } from '../table/grid'
import styles from '../table/grid.module.css'
import { markClass } from '../table/row-marks'
import { type CellLook, contextOf } from './grid-cell'

const INDENT = 20

/** The record's name: opens it, carries the tree's branch, and shows the row's actions when pointed at. */
export const linkLook = (column: ColumnPlan): CellLook => ({
  paint: ({ data, value }, context) => {
    if (!data) return ''
    if (!('data' in data)) return element('span', { className: styles.totals }, context.texts.t('list.totals'))
    return paint(linkOf(data, value, column, context), context)
  },
  component: (params) => {
    const { data, value } = params
    if (!data || !('data' in data)) return null
    const context = contextOf(params)
    return <LinkCell {...linkOf(data, value, column, context)} context={context} />
  },
})

interface LinkOf {
  row: ShownRow
  words: string
  title: string
  className: string
  to: string
  state: 'list.draft' | 'list.processing' | null
  actions: ListAction[]
}

function linkOf(
  row: ShownRow,
  value: unknown,
  column: ColumnPlan,
  { controller, rowActions, texts }: GridContext,
): LinkOf {
  const { schemaCode, sheetCode, queryCode } = controller.config
  const mark = row.mark?.cells?.[column.propertyCode]
  const own = isEmptyValue(value) ? texts.t('list.unnamed') : propertyUI(column.propertyType).text(value, column, texts)
  const words = mark?.text ?? own
  const states = { DRAFT: 'list.draft', PROCESSING: 'list.processing' } as const
  return {
    row,
    words,
    title: mark?.hint ?? words,
    className: `${styles.link} ${markClass(mark)}`,
    to: recordPath({ schemaCode, sheetCode: sheetCode ?? null, queryCode, id: row.id }),
    state: states[row.sequenceStatus as keyof typeof states] ?? null,
    actions: rowActions.filter((action) => action.enabled([row])),
  }
}

/** Two buttons at most stand over the name's end: the first action and the rest of them, or both that there are. */
const split = (actions: ListAction[]) => {
  const inline = actions.length > 2 ? 1 : 2
  return [actions.slice(0, inline), actions.slice(inline)] as const
}

function paint({ row, words, title, className, to, state, actions }: LinkOf, { controller, texts }: GridContext): Node {
  const button = (label: string, face: Node | string) =>
    element('button', { type: 'button', tabIndex: -1, 'aria-label': label }, face)
  const [inline, more] = split(actions)
  return element(
    'span',
    {
      className: styles.linkCell,
      ...(controller.nested ? { style: { paddingInlineStart: `${row.depth * INDENT}px` } } : {}),
    },
    controller.nested && paintBranch(row, texts.t),
    element('a', { className, title, href: to }, words),
    state && element('span', { className: styles.badge }, texts.t(state)),
    actions.length > 0 &&
      element(
        'span',
        { className: styles.rowActions },
        ...inline.map(({ label, icon }) => button(label, icon ? iconElement(icon, 15) : label)),
        more.length > 0 && button(texts.t('list.moreActions'), iconElement('more', 15)),
      ),
  )
}

function paintBranch(row: ShownRow, t: GridContext['texts']['t']): Node {
  if (!row.branch) return element('span', { className: styles.branch })
  const open = row.branch !== 'closed'
  return element(
    'button',
    {
      type: 'button',
      tabIndex: -1,
      className: styles.branch,
      'aria-expanded': open,
      'aria-busy': row.branch === 'loading',
      'aria-label': open ? t('list.collapse') : t('list.expand'),
    },
    iconElement(open ? 'down' : 'right', 12),
  )
}

export function LinkCell({
  row,
  words,
  title,
  className,
  to,
  state,
  actions,
  context,
}: LinkOf & { context: GridContext }) {
  const t = useText()
  const location = useLocation()
  const { nested, store } = context.controller
  return (
    <span className={styles.linkCell} style={nested ? { paddingInlineStart: row.depth * INDENT } : undefined}>
      {nested && <Branch row={row} onToggle={() => store.getState().toggleRow(row.id)} />}
      <Link className={className} title={title} to={to} state={{ background: location }}>
        {words}
      </Link>
      {state && <span className={styles.badge}>{t(state)}</span>}
      <RowActions row={row} actions={actions} />
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
  const [inline, more] = split(actions)
  return (
    <span className={styles.rowActions}>
      {inline.map((action) => (
        <Hint key={action.name} title={action.hint ?? action.label} mouseEnterDelay={0.5}>
          <button type="button" tabIndex={-1} aria-label={action.label} onClick={() => action.run([row])}>
            {action.icon ? <Icon name={action.icon} size={15} /> : action.label}
          </button>
        </Hint>
      ))}
      {more.length > 0 && (
        <Dropdown
          autoFocus
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
