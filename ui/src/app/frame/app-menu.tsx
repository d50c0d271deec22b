import { useQuery } from '@tanstack/react-query'
import { Dropdown } from 'antd'
import { type Ref, type RefObject, useImperativeHandle } from 'react'
import { useNavigate } from 'react-router'
import { AppBadge } from '@/components/app-badge'
import { Icon } from '@/components/icon'
import { groupApps } from '@/features/menu/group-apps'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { appsQuery } from '@/sdk/home'
import { useText } from '@/sdk/use-text'

/** No application has this code. */
const ALL = '*'

interface Props {
  appCode: string
  /** The button that the menu hangs on. */
  button: RefObject<HTMLButtonElement | null>
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** The applications, by group, and the way to all of them. */
export function AppMenu({ appCode, button, open, onOpenChange }: Props) {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const { data: apps = [] } = useQuery(appsQuery)
  const items = groupApps(apps, locale).map(({ group, name, apps: members }) => ({
    type: 'group' as const,
    key: `group ${group ?? ''}`,
    label: name ?? t('shell.otherApps'),
    children: members.map((app) => ({
      key: app.code,
      label: localName(app, locale),
      icon: (
        <span>
          <AppBadge
            code={app.code}
            name={localName(app, locale)}
            icon={app.icon}
            color={app.color}
            logo={app.logoUrl}
            size={20}
          />
        </span>
      ),
    })),
  }))
  return (
    <Dropdown
      open={open}
      onOpenChange={onOpenChange}
      trigger={['click']}
      menu={{
        items: [...items, { type: 'divider' }, { key: ALL, label: t('shell.allApps'), icon: <Icon name="grid" /> }],
        selectedKeys: [appCode],
        onClick: ({ key }) => {
          onOpenChange(false)
          navigate(key === ALL ? '/app-list/applications' : `/application/${key}`)
        },
      }}
    >
      <ExistingTrigger of={button} />
    </Dropdown>
  )
}

/** Passes an existing button to Dropdown as its trigger. Wrapping it later would remount the button and lose the press. */
function ExistingTrigger({ of, ref }: { of: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => of.current as HTMLElement)
  return null
}
