import { Icon, type IconName, useIsPhone, useText } from '@sluice/sdk'
import { Button, Dropdown } from 'antd'

export interface HeadAction {
  key: string
  label: string
  icon?: IconName
  busy?: boolean
  onClick: () => void
}

/** What can be done on a page, the last one first of all. A phone has room for that one; the others are behind More. */
export function HeadActions({ actions }: { actions: HeadAction[] }) {
  const product = useText()
  const phone = useIsPhone()
  const main = actions.at(-1)
  const more = actions.slice(0, -1)
  if (!main) return null
  const button = ({ key, label, icon, busy, onClick }: HeadAction) => (
    <Button
      key={key}
      type={key === main.key ? 'primary' : 'default'}
      loading={busy ?? false}
      {...(icon ? { icon: <Icon name={icon} /> } : {})}
      onClick={onClick}
    >
      {label}
    </Button>
  )
  if (!phone) return <>{actions.map(button)}</>
  return (
    <>
      {more.length > 0 && (
        <Dropdown
          trigger={['click']}
          placement="bottomRight"
          menu={{ items: more.map(({ key, label, onClick }) => ({ key, label, onClick })) }}
        >
          <Button icon={<Icon name="more" />} aria-label={product('common.more')} />
        </Dropdown>
      )}
      {button(main)}
    </>
  )
}
