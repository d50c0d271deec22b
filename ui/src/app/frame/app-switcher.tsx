import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown } from 'antd'
import { useNavigate } from 'react-router'
import { Avatar } from '@/components/avatar'
import { Icon } from '@/components/icon'
import { groupApps } from '@/features/menu/group-apps'
import { appsQuery } from '@/features/menu/queries'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useSettled } from '@/lib/settled'
import { useText } from '@/sdk/use-text'
import styles from './header.module.css'

export function AppSwitcher({ appCode }: { appCode: string }) {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const { data: apps = [] } = useQuery(appsQuery)
  const settled = useSettled()
  const current = apps.find((app) => app.code === appCode)
  const opener = (
    <Button type="text" className={styles.application ?? ''} aria-label={t('shell.switchApp')}>
      <span>{current && localName(current, locale)}</span>
      <Icon name="down" size={12} />
    </Button>
  )
  if (!settled) return opener
  const items = groupApps(apps, locale).map(({ group, name, apps: members }) => ({
    type: 'group' as const,
    key: group ?? '',
    label: name ?? t('shell.otherApps'),
    children: members.map((app) => ({
      key: app.code,
      label: localName(app, locale),
      icon: <Avatar name={localName(app, locale).slice(0, 1)} src={app.logoUrl} square />,
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
      {opener}
    </Dropdown>
  )
}
