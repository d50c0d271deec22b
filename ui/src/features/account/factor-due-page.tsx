import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { signOut } from '@/api/session'
import { meQuery } from '@/sdk/me'
import { useText } from '@/sdk/use-text'
import { EntryFrame } from './components/entry-frame'
import { Enrolment } from './enrolment'
import styles from './sign-in-again.module.css'

/** In place of every page, as long as a role asks for a second factor that is not there. */
export function FactorDuePage() {
  const t = useText()
  const client = useQueryClient()
  return (
    <EntryFrame title={t('account.factor.due')} text={t('account.factor.dueText')}>
      <Enrolment onDone={() => void client.invalidateQueries(meQuery)} />
      <Button className={styles.other ?? ''} type="text" block size="large" onClick={() => void signOut()}>
        {t('session.signOut')}
      </Button>
    </EntryFrame>
  )
}
