import { NavLink, useLocation } from 'react-router'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import styles from './tab-bar.module.css'

/** The phone's tabs. To-do and messages join them when there is something behind them. */
export function TabBar() {
  const t = useText()
  const { pathname } = useLocation()
  const home = !pathname.startsWith('/user')
  return (
    <nav className={styles.bar}>
      <NavLink to="/app-list/applications" className={styles.tab ?? ''} aria-current={home ? 'page' : undefined}>
        <Icon name="home" size={20} />
        {t('shell.home')}
      </NavLink>
      <NavLink to="/user/info" className={styles.tab ?? ''} aria-current={home ? undefined : 'page'}>
        <Icon name="user" size={20} />
        {t('shell.me')}
      </NavLink>
    </nav>
  )
}
