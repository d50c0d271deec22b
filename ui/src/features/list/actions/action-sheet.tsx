import { Drawer } from 'antd'
import type { Row } from '@/api/types'
import { Icon } from '@/components/icon'
import { MENU_SHEET, useReturnFocus } from '@/lib/return-focus'
import styles from './action-sheet.module.css'
import type { ListAction } from './list-action'

interface ActionSheetProps {
  title: string
  actions: ListAction[]
  rows: Row[]
  onClose: () => void
}

/** What can be done, from below: a phone has no hover and no room for a row of buttons. */
export default function ActionSheet({ title, actions, rows, onClose }: ActionSheetProps) {
  useReturnFocus()
  const icons = actions.some((action) => action.icon)
  return (
    <Drawer
      open
      placement="bottom"
      size="auto"
      rootClassName={MENU_SHEET}
      title={title}
      onClose={onClose}
      styles={{ body: { padding: 0 } }}
    >
      <ul className={styles.actions}>
        {actions.map((action) => (
          <li key={action.name}>
            <button
              type="button"
              className={action.danger ? styles.danger : undefined}
              disabled={!action.enabled(rows)}
              onClick={() => {
                onClose()
                action.run(rows)
              }}
            >
              {action.icon ? <Icon name={action.icon} size={20} /> : icons && <i />}
              <span>
                {action.label}
                {action.hint && <small>{action.hint}</small>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Drawer>
  )
}
