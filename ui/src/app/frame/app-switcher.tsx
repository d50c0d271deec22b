import { useQuery } from '@tanstack/react-query'
import { Dropdown } from 'antd'
import { useNavigate } from 'react-router'
import { AppBadge } from '@/components/app-badge'
import { Icon } from '@/components/icon'
import { groupApps } from '@/features/menu/group-apps'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { appsQuery } from '@/sdk/home'
import { useText } from '@/sdk/use-text'
import { AppName } from './app-name'

/** The name of the application; the others are behind it. */
export function AppSwitcher({ appCode }: { appCode: string }) {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const { data: apps = [] } = useQuery(appsQuery)
  const items = groupApps(apps, locale).map(({ group, name, apps: members }) => ({
    type: 'group' as const,
    key: group ?? '',
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
      trigger={['click']}
      menu={{
        items: [...items, { type: 'divider' }, { key: '', label: t('shell.allApps'), icon: <Icon name="grid" /> }],
        selectedKeys: [appCode],
        onClick: ({ key }) => navigate(key ? `/application/${key}` : '/app-list/applications'),
      }}
    >
      <AppName appCode={appCode} />
    </Dropdown>
  )
}
