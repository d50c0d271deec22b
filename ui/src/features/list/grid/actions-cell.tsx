import { Dropdown } from 'antd'
import { Hint } from '@/components/hint'
import { Icon, iconElement } from '@/components/icon'
import { element } from '@/lib/element'
import { useText } from '@/sdk/use-text'
import type { ListAction } from '../actions/list-action'
import { fullLabel, labelWidth } from '../actions/row-buttons'
import type { ShownRow } from '../data/use-tree-rows'
import styles from '../table/grid.module.css'
import { type CellLook, type CellParams, contextOf } from './grid-cell'

function buttonsOf(params: CellParams) {
  const { data } = params
  if (!data || !('data' in data)) return null
  const { buttons, inline } = contextOf(params)
  const usable = buttons.filter((button) => button.enabled([data]))
  return { row: data, inline: usable.slice(0, inline), more: usable.slice(inline), mark: inline === 0 }
}

/** The buttons that the definition gives each row: those that have room in words, the others behind More. What a row does not allow is not drawn. */
export const actionsLook: CellLook = {
  paint: (params, { texts: { t } }) => {
    const found = buttonsOf(params)
    if (!found) return ''
    const button = (label: string | Node, more: object) =>
      element('button', { type: 'button', tabIndex: -1, ...more }, label)
    return element(
      'span',
      { className: styles.buttons },
      ...found.inline.map(({ label, danger }) =>
        button(label, { style: labelWidth(label), 'data-danger': danger || undefined }),
      ),
      found.more.length > 0 &&
        button(found.mark ? iconElement('more') : t('common.more'), { 'aria-label': t('list.moreActions') }),
    )
  },
  component: (params) => {
    const found = buttonsOf(params)
    return found && <ActionsCell {...found} />
  },
}

interface Props {
  row: ShownRow
  inline: ListAction[]
  more: ListAction[]
  /** None is in words: a mark opens them all. */
  mark: boolean
}

function ActionsCell({ row, inline, more, mark }: Props) {
  const t = useText()
  return (
    <span className={styles.buttons}>
      {inline.map((button) => (
        <Hint key={button.name} title={button.hint ?? fullLabel(button.label)}>
          <button
            type="button"
            tabIndex={-1}
            style={labelWidth(button.label)}
            data-danger={button.danger || undefined}
            onClick={() => button.run([row])}
          >
            {button.label}
          </button>
        </Hint>
      ))}
      {more.length > 0 && (
        <Dropdown
          autoFocus
          trigger={['click']}
          menu={{
            items: more.map((button) => ({
              key: button.name,
              label: <span title={button.hint ?? undefined}>{button.label}</span>,
              danger: button.danger,
              onClick: () => button.run([row]),
            })),
          }}
        >
          <button type="button" tabIndex={-1} aria-label={t('list.moreActions')}>
            {mark ? <Icon name="more" size={16} /> : t('common.more')}
          </button>
        </Dropdown>
      )}
    </span>
  )
}
