import { lazy, Suspense } from 'react'
import { NavLink, useLocation } from 'react-router'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import styles from './tab-bar.module.css'

const BellTab = lazy(() => import('@/features/message/bell').then((m) => ({ default: m.BellTab })))

/** The phone's tabs. To-do joins them when there is something behind it. */
export function TabBar() {
  const t = useText()
  const { pathname } = useLocation()
  const messages = pathname.startsWith('/message')
  const me = pathname.startsWith('/user')
  const here = (is: boolean) => (is ? 'page' : undefined)
  return (
    <nav className={styles.bar}>
      <NavLink to="/app-list/applications" className={styles.tab ?? ''} aria-current={here(!messages && !me)}>
        <Icon name="home" size={20} />
        {t('shell.home')}
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
