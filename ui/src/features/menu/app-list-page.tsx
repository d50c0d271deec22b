import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { Link } from 'react-router'
import type { App } from '@/api/types'
import { Avatar } from '@/components/avatar'
import { Notice } from '@/components/notice'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { usePageTitle } from '@/lib/page-title'
import { useErrorText } from '@/sdk/error-text'
import { useText } from '@/sdk/use-text'
import styles from './app-list-page.module.css'
import { groupApps } from './group-apps'
import { appsQuery } from './queries'

export function AppListPage() {
  const t = useText()
  usePageTitle(t('shell.apps'))
  const locale = useLocale()
  const errorText = useErrorText()
  const { data, error, refetch } = useQuery(appsQuery)
  if (error)
    return (
      <Notice
        page
        role="alert"
        icon="alert"
        title={errorText(error)}
        actions={<Button onClick={() => refetch()}>{t('common.retry')}</Button>}
      />
    )
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{t('shell.apps')}</h1>
      {!data && <Skeleton active title={false} paragraph={{ rows: 4 }} />}
      {data?.length === 0 && <Notice icon="grid" title={t('shell.noApps')} text={t('shell.noAppsText')} />}
      {groupApps(data ?? [], locale).map(({ group, name, apps }) => (
        <section key={group ?? ''}>
          {(data?.some((app) => app.group) ?? false) && (
            <h2 className={styles.group}>{name ?? t('shell.otherApps')}</h2>
          )}
          <ul className={styles.cards}>
            {apps.map((app: App) => (
              <li key={app.code}>
                <Link className={styles.card} to={`/application/${app.code}`}>
                  <Avatar name={localName(app, locale).slice(0, 1)} src={app.logoUrl} size={40} square />
                  <span className={styles.name} title={localName(app, locale)}>
                    {localName(app, locale)}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
