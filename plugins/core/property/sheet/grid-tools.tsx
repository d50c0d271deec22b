import { Icon, useText } from '@sluice/sdk'
import { Button, Tooltip } from 'antd'
import { memo } from 'react'
import styles from './grid.module.css'
import type { RowAction } from './row-actions'
import type { Notice } from './use-clipboard'

interface ToolsProps {
  /** null = rows may not be added here. */
  onAdd: (() => void) | null
  full: boolean
  actions: RowAction[]
  count: number
  minRows: number
  maxRows: number
}

/** Below the grid: a row more, what can be done with the selected ones, and how many there are. */
export const GridTools = memo(function GridTools({ onAdd, full, actions, count, minRows, maxRows }: ToolsProps) {
  const t = useText()
  const short = count < minRows
  return (
    <div className={styles.tools} role="toolbar" aria-label={t('form.rowActions')}>
      {onAdd && (
        <Button type="dashed" icon={<Icon name="plus" />} onClick={onAdd} disabled={full} data-add>
          {t('form.addRow')}
        </Button>
      )}
      {actions.map((action) => (
        <Tooltip key={action.name} title={action.keys ? `${action.label} (${action.keys})` : action.label}>
          <Button
            type="text"
            icon={action.icon}
            aria-label={action.label}
            disabled={!action.enabled}
            danger={action.danger ?? false}
            onClick={action.run}
          />
        </Tooltip>
      ))}
      <span className={styles.count} data-short={short || undefined}>
        {short
          ? t('sheet.least', { count: minRows })
          : full && onAdd
            ? t('sheet.most', { count: maxRows })
            : count > 0 && t('sheet.rows', { count })}
      </span>
    </div>
  )
})

/** What a paste came to, where not everything went in. */
export function PasteNotice({ notice, maxRows, onClose }: { notice: Notice; maxRows: number; onClose: () => void }) {
  const t = useText()
  const { pasted, unread, lostRows, lostColumns, readOnly } = notice
  const parts = [
    t('sheet.pasted', { count: pasted }),
    unread > 0 && t('sheet.unread', { count: unread }),
    lostRows > 0 && t('sheet.lostRows', { count: lostRows, most: maxRows }),
    lostColumns > 0 && t('sheet.lostColumns', { count: lostColumns }),
    readOnly > 0 && t('sheet.readOnlyCells', { count: readOnly }),
  ]
  return (
    <div className={styles.notice} role="status">
      <Icon name="alert" />
      <span>{parts.filter(Boolean).join(t('sheet.joint'))}</span>
      <Button type="text" size="small" icon={<Icon name="close" />} aria-label={t('common.close')} onClick={onClose} />
    </div>
  )
}
