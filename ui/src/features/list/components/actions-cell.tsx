import type { CustomCellRendererProps } from 'ag-grid-react'
import { Dropdown, Tooltip } from 'antd'
import { useText } from '@/sdk/use-text'
import { ACTIONS_INLINE, shownLabel } from '../row-buttons'
import type { GridContext, GridRow } from './grid'
import styles from './grid.module.css'

/** The buttons that the definition gives each row: three in words, the others behind More. What a row does not allow is not drawn. */
export function ActionsCell({ data, context }: CustomCellRendererProps<GridRow>) {
  const t = useText()
  if (!data || !('data' in data)) return null
  const { buttons } = (context as { get: () => GridContext }).get()
  const usable = buttons.filter((button) => button.enabled([data]))
  const [inline, more] = [usable.slice(0, ACTIONS_INLINE), usable.slice(ACTIONS_INLINE)]
  return (
    <span className={styles.buttons}>
      {inline.map((button) => {
        const short = shownLabel(button.label)
        return (
          <Tooltip key={button.name} title={button.hint ?? (short === button.label ? null : button.label)}>
            <button
              type="button"
              tabIndex={-1}
              aria-label={button.label}
              data-danger={button.danger || undefined}
              onClick={() => button.run([data])}
            >
              {short}
            </button>
          </Tooltip>
        )
      })}
      {more.length > 0 && (
        <Dropdown
          trigger={['click']}
          menu={{
            items: more.map((button) => ({
              key: button.name,
              label: <span title={button.hint ?? undefined}>{button.label}</span>,
              danger: button.danger,
              onClick: () => button.run([data]),
            })),
          }}
        >
          <button type="button" tabIndex={-1} aria-label={t('list.moreActions')}>
            {t('common.more')}
          </button>
        </Dropdown>
      )}
    </span>
  )
}
