import { useServerAway } from '@/lib/server-away'
import { useText } from '@/sdk/use-text'
import styles from './server-away.module.css'

/** Says why a part of the page is not there yet. It waits by itself and goes on when the server is back. */
export function ServerAway() {
  const t = useText()
  const away = useServerAway()
  return <div role="status">{away && <p className={styles.note}>{t('common.serverAway')}</p>}</div>
}
