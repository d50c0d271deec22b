import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { signOut } from '@/api/session'
import { meQuery } from '@/sdk/me'
import { useText } from '@/sdk/use-text'
import { EntryFrame } from './components/entry-frame'
import { PasswordForm } from './components/password-form'
import styles from './sign-in-again.module.css'

/** In place of every page, as long as the password is one that an administrator set. */
export function PasswordDuePage() {
  const t = useText()
  const client = useQueryClient()
  return (
    <EntryFrame title={t('session.due.title')} text={t('session.due.text')}>
      <PasswordForm block onDone={() => void client.invalidateQueries(meQuery)} />
      <Button className={styles.other ?? ''} type="text" block size="large" onClick={() => void signOut()}>
        {t('session.signOut')}
      </Button>
    </EntryFrame>
  )
}
