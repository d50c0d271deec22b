import { useQuery } from '@tanstack/react-query'
import { useErrorText } from '@/sdk/error-text'
import { lostOf } from '@/sdk/lost'
import { useText } from '@/sdk/use-text'
import { MenuList } from './components/menu-list'
import { MenuHandle, useMenuWidth } from './menu-handle'
import { menuQuery } from './queries'
import styles from './side-menu.module.css'
import { useCurrentEntry } from './use-current-entry'

/** The menu beside the page: as wide as it is drawn, none when it is collapsed. */
export function SideMenu({ appCode }: { appCode: string }) {
  const t = useText()
  const errorText = useErrorText()
  const width = useMenuWidth('application')
  const { data, error } = useQuery(menuQuery(appCode))
  const current = useCurrentEntry(appCode)
  if (width === 0) return null
  return (
    <nav className={styles.side} style={{ width }} aria-label={t('shell.menu')}>
      {lostOf({ data, error }) ? (
        <p className={styles.error} role="alert">
          {errorText(error)}
        </p>
      ) : (
        <MenuList nodes={data} current={current?.id ?? null} leads />
      )}
      <MenuHandle mode="application" />
    </nav>
  )
}
