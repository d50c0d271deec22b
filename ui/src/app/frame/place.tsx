import { Link, useLocation, useSearchParams } from 'react-router'
import { Hint } from '@/components/hint'
import { Icon } from '@/components/icon'
import { FavoriteButton } from '@/features/menu/favorite-button'
import { useText } from '@/sdk/use-text'
import { OWN_PAGES, type OwnPage } from '../own-pages'
import styles from './header.module.css'

/** Pages outside of applications: those below one have its name, and lead back to it. */
const PLACES: { to: string; title: OwnPage['title'] | 'message.title' | 'shell.me'; below?: string; several?: true }[] =
  [
    { to: '/message-notification', title: 'message.title' },
    { to: '/user/info', title: 'shell.me', below: '/user' },
    ...OWN_PAGES,
  ]

/** A task, the start of a workflow, its course and its rehearsal belong to the center. */
const CENTER = { to: '/workflow-center', title: 'workflow.title', several: true } as const
const WORKFLOW = /^\/(from\/(workflow-track|operation-log-compare)|workflow-rehearsal)\//
const TASK = ['workItemId', 'workitemId', 'startWorkflowCode']

/** The name of a page outside of applications, and the way to its parent. */
export function Place() {
  const t = useText()
  const { pathname } = useLocation()
  const [search] = useSearchParams()
  const task = TASK.some((name) => search.has(name)) || WORKFLOW.test(pathname)
  const place = task ? CENTER : PLACES.find(({ to, below = to }) => `${pathname}/`.startsWith(`${below}/`))
  const [schemaCode, id] = [search.get('schemaCode'), search.get('key')]
  if (pathname === '/form/detail' && schemaCode && id && !task)
    return <FavoriteButton place={{ kind: 'record', place: schemaCode, code: id }} />
  if (!place) return null
  const back = pathname === place.to || (place.several && !task) ? '/' : place.to
  const label = back === '/' ? t('shell.backTo') : t('shell.goBack')
  return (
    <>
      <Hint title={label}>
        <Link to={back} className={styles.back ?? ''} aria-label={label}>
          <Icon name="left" />
        </Link>
      </Hint>
      <span className={styles.placeName}>{t(place.title)}</span>
    </>
  )
}
