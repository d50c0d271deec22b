import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { App } from '@/api/types'
import { AppBadge } from '@/components/app-badge'
import { Notice } from '@/components/notice'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { usePageTitle } from '@/lib/page-title'
import { Failure } from '@/sdk/failure'
import { appsQuery, homeQuery } from '@/sdk/home'
import { lostOf } from '@/sdk/lost'
import { useText } from '@/sdk/use-text'
import styles from './app-list-page.module.css'
import { groupApps } from './group-apps'
import homeStyles from './home.module.css'
import { HomePlaces } from './home-places'
import { HomeSteps } from './home-steps'
import { HomeWaiting } from './home-waiting'

/** Fewer applications than this are seen at a glance: the recent ones need no row of their own. */
const MANY = 9

interface Props {
  /** The tasks of the person. */
  tasks?: ReactNode
  /** They are not there yet. */
  waits?: boolean
}

/** Where a person begins: what they come for, and all applications. All answers are drawn at once, so nothing moves. */
export function AppListPage({ tasks, waits = false }: Props) {
  const t = useText()
  usePageTitle(t('shell.home'))
  const locale = useLocale()
  const { data, error, refetch } = useQuery(appsQuery)
  const { data: home, isPending } = useQuery({ ...homeQuery, staleTime: 0 })
  if (lostOf({ data, error })) return <Failure page error={error} onRetry={refetch} />
  if (!data || isPending || waits)
    return (
      <div className={styles.page}>
        <h1 className="visually-hidden">{t('shell.home')}</h1>
        <Skeleton active title={false} paragraph={{ rows: 8 }} />
      </div>
    )
  const recent = (home?.recentApps ?? []).flatMap((code) => data.find((app) => app.code === code) ?? [])
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{t('shell.home')}</h1>
      {home && home.steps.length > 0 && <HomeSteps steps={home.steps} />}
      {tasks}
      {home && (
        <div className={homeStyles.two}>
          <HomePlaces home={home} apps={data} />
          <HomeWaiting home={home} />
        </div>
      )}
      <h2 className={styles.title}>{t('shell.apps')}</h2>
      {data.length === 0 && <Notice icon="grid" title={t('shell.noApps')} text={t('shell.noAppsText')} />}
      {data.length >= MANY && recent.length > 0 && <Group name={t('home.recentApps')} apps={recent} />}
      {groupApps(data, locale).map(({ group, name, apps }) => (
        <Group
          key={group ?? ''}
          name={data.some((app) => app.group) ? (name ?? t('shell.otherApps')) : null}
          apps={apps}
        />
      ))}
    </div>
  )
}

function Group({ name, apps }: { name: string | null; apps: App[] }) {
  const locale = useLocale()
  return (
    <section>
      {name && <h3 className={styles.group}>{name}</h3>}
      <ul className={styles.cards}>
        {apps.map((app) => (
          <li key={app.code}>
            <Link className={styles.card} to={`/application/${app.code}`}>
              <AppBadge
                code={app.code}
                name={localName(app, locale)}
                icon={app.icon}
                color={app.color}
                logo={app.logoUrl}
                size={40}
              />
              <span className={styles.name} title={localName(app, locale)}>
                {localName(app, locale)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
