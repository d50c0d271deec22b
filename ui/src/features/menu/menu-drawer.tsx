import { useQuery } from '@tanstack/react-query'
import { Drawer } from 'antd'
import { useReturnFocus } from '@/lib/return-focus'
import { useErrorText } from '@/sdk/error-text'
import { useText } from '@/sdk/use-text'
import { MenuList } from './components/menu-list'
import { useMenuStore } from './menu-store'
import { menuQuery } from './queries'
import styles from './side-menu.module.css'
import { useCurrentEntry } from './use-current-entry'

/** The menu over a page that is too narrow to have it beside it. */
export function MenuDrawer({ appCode }: { appCode: string }) {
  useReturnFocus()
  const t = useText()
  const errorText = useErrorText()
  const close = () => useMenuStore.getState().setOver(false)
  const { data, error } = useQuery(menuQuery(appCode))
  const current = useCurrentEntry(appCode)
  return (
    <Drawer
      open
      placement="left"
      size="min(300px, 86vw)"
      title={t('shell.menu')}
      onClose={close}
      styles={{ body: { padding: 0 } }}
    >
      <nav className={styles.drawn} aria-label={t('shell.menu')}>
        {error ? (
          <p className={styles.error} role="alert">
            {errorText(error)}
          </p>
        ) : (
          <MenuList nodes={data} current={current?.id ?? null} onOpened={close} />
        )}
      </nav>
    </Drawer>
  )
}
