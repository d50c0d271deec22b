import { lazy, Suspense } from 'react'
import { NavLink, useLocation } from 'react-router'
import { Icon } from '@/components/icon'
import { hasWorkbench, useSystemConfig } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import styles from './tab-bar.module.css'

const BellTab = lazy(() => import('@/features/message/bell').then((m) => ({ default: m.BellTab })))

const WorkTab = lazy(() => import('@/features/workflow/center/work-tab').then((m) => ({ default: m.WorkTab })))

/** The phone's tabs. */
export function TabBar() {
  const t = useText()
  const { pathname } = useLocation()
  const messages = pathname.startsWith('/message')
  const work = pathname.startsWith('/workflow-center')
  const me = pathname.startsWith('/user')
  const home = hasWorkbench(useSystemConfig()) ? '/' : '/app-list/applications'
  const here = (is: boolean) => (is ? 'page' : undefined)
  return (
    <nav className={styles.bar}>
      <NavLink to={home} className={styles.tab ?? ''} aria-current={here(!messages && !work && !me)}>
        <Icon name="home" size={20} />
        {t('shell.home')}
      </NavLink>
      <NavLink to="/workflow-center/my-unfinished-workitem" className={styles.tab ?? ''} aria-current={here(work)}>
        <Suspense fallback={<Icon name="inbox" size={20} />}>
          <WorkTab />
        </Suspense>
        {t('workflow.unfinished')}
      </NavLink>
      <NavLink to="/message-notification" className={styles.tab ?? ''} aria-current={here(messages)}>
        <Suspense fallback={<Icon name="bell" size={20} />}>
          <BellTab />
        </Suspense>
        {t('message.tab')}
      </NavLink>
      <NavLink to="/user/info" className={styles.tab ?? ''} aria-current={here(me)}>
        <Icon name="user" size={20} />
        {t('shell.me')}
      </NavLink>
    </nav>
  )
}
