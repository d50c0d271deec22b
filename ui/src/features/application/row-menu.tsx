import { Button, Dropdown } from 'antd'
import { Icon } from '@/components/icon'

export interface RowAction {
  key: string
  label: string
  run: () => void
  danger?: boolean
  off?: boolean
}

/** The actions of a row behind one button. Groups are separated by null. */
export function RowMenu({ label, actions }: { label: string; actions: (RowAction | null)[] }) {
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: actions.map((one, i) =>
          one
            ? { key: one.key, label: one.label, danger: one.danger ?? false, disabled: one.off ?? false }
            : { key: `line${i}`, type: 'divider' as const },
        ),
        onClick: ({ key }) => actions.find((one) => one?.key === key)?.run(),
      }}
    >
      <Button type="text" aria-label={label} icon={<Icon name="more" />} />
    </Dropdown>
  )
}
