import { Button } from 'antd'
import { endSeeAs, seeAs } from '@/api/see-as'
import { useText } from '@/sdk/use-text'
import styles from './seen-as.module.css'

/** Says on every page that somebody looks at the product as somebody else. */
export function SeenAs() {
  const t = useText()
  const as = seeAs()
  if (!as) return null
  return (
    <div className={styles.banner} role="status">
      {t('rights.seen', { name: as.user.name })}
      <Button size="small" onClick={endSeeAs}>
        {t('rights.end')}
      </Button>
    </div>
  )
}
