import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { Hint } from '@/components/hint'
import { Icon } from '@/components/icon'
import { recordQuery } from '@/features/form/api'
import { FavoriteButton } from '@/features/menu/favorite-button'
import { useSearch } from '@/lib/use-search'
import { appsQuery } from '@/sdk/home'
import { useText } from '@/sdk/use-text'
import { readFormQuery } from '../form-query'
import { OWN_PAGES, type OwnPage } from '../own-pages'
import { AppSwitcher } from './app-switcher'
import styles from './header.module.css'

/** The list of applications, which the name of the product leads to: nothing is above it. */
const HOME = '/app-list/applications'

/** Pages outside of applications: those below one have its name, and lead back to it. */
const PLACES: {
  to: string
  title: OwnPage['title'] | 'message.title' | 'shell.me' | 'shell.apps'
  below?: string
  several?: true
}[] = [
  { to: HOME, title: 'shell.apps' },
  { to: '/message-notification', title: 'message.title' },
  { to: '/user/info', title: 'shell.me', below: '/user' },
  ...OWN_PAGES,
]

/** A task, the start of a workflow, its course and its rehearsal belong to the center. */
const CENTER = { to: '/workflow-center', title: 'workflow.title', several: true } as const
const WORKFLOW = /^\/(from\/(workflow-track|operation-log-compare)|workflow-rehearsal)\//
const TASK = ['workItemId', 'workitemId', 'startWorkflowCode']

/** The application that a record belongs to, and its star. The page reads the record: what it has read is in the cache. */
function FormPlace({ star }: { star: ReactNode }) {
  const [search] = useSearch()
  const { schemaCode, sheetCode, objectId, ...others } = readFormQuery(search)
  const key = { schemaCode: schemaCode ?? '', sheetCode: sheetCode ?? undefined, objectId: objectId ?? undefined }
  const added = {
    copyFrom: others.copyFrom ?? undefined,
    queryCode: others.queryCode ?? undefined,
    relation: others.relation ?? undefined,
  }
  const { data } = useQuery({ ...recordQuery(objectId ? key : { ...key, ...added }), enabled: false })
  const { data: apps, isPending } = useQuery(appsQuery)
  if (!data || isPending) return null
  const { appCode } = data.form
  return (
    <>
      {apps?.some(({ code }) => code === appCode) && (
        <>
          <span className={styles.slash} aria-hidden="true" />
          <AppSwitcher appCode={appCode} />
        </>
      )}
      {star}
    </>
  )
}

/** The name of a page outside of applications, and the way to its parent. */
export function Place() {
  const t = useText()
  const { pathname } = useLocation()
  const [search] = useSearch()
  const task = TASK.some((name) => search.has(name)) || WORKFLOW.test(pathname)
  const place = task ? CENTER : PLACES.find(({ to, below = to }) => `${pathname}/`.startsWith(`${below}/`))
  const [schemaCode, id] = [search.get('schemaCode'), search.get('key')]
  if (pathname === '/form/detail' && schemaCode && !task)
    return <FormPlace star={id && <FavoriteButton place={{ kind: 'record', place: schemaCode, code: id }} />} />
  if (!place) return null
  const back = pathname === place.to || (place.several && !task) ? '/' : place.to
  const label = back === '/' ? t('shell.backTo') : t('shell.goBack')
  return (
    <>
      {place.to === HOME ? (
        <span className={styles.slash} aria-hidden="true" />
      ) : (
        <Hint title={label}>
          <Link to={back} className={styles.back ?? ''} aria-label={label}>
            <Icon name="left" />
          </Link>
        </Hint>
      )}
      <span className={styles.placeName}>{t(place.title)}</span>
    </>
  )
}
