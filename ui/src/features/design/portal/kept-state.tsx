import { Button } from 'antd'
import { useText } from '@/sdk/use-text'
import styles from './portal.module.css'

/** Whether the server has what was changed. */
export function KeptState({ state, shown, onRetry }: { state: string; shown: boolean; onRetry: () => void }) {
  const t = useText()
  if (!shown) return null
  if (state === 'failed')
    return (
      <Button size="small" danger onClick={onRetry}>
        {t('portalDesign.notKept')}
      </Button>
    )
  return (
    <span className={styles.state} role="status">
      {t(state === 'kept' ? 'portalDesign.kept' : 'portalDesign.keeping')}
    </span>
  )
}
