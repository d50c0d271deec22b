import { Button } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { signOut } from '@/api/session'
import { PersonalDialog, PersonalInfo } from '@/features/account/personal-dialog'
import { usePageTitle } from '@/lib/page-title'
import { useMe } from '@/sdk/me'
import { useText } from '@/sdk/use-text'
import styles from './me-page.module.css'
import { Preferences } from './preferences'

/** Everything about me on one page; on a phone it is the last tab. */
export function MePage() {
  const t = useText()
  usePageTitle(t('shell.me'))
  const me = useMe()
  const navigate = useNavigate()
  const [password, setPassword] = useState(false)
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{me?.name}</h1>
      <PersonalInfo />
      <Preferences />
      <div className={styles.actions}>
        <Button onClick={() => void navigate('/my-draft')}>{t('draft.title')}</Button>
        <Button onClick={() => setPassword(true)}>{t('session.changePassword')}</Button>
        <Button onClick={() => void signOut()}>{t('session.signOut')}</Button>
      </div>
      {password && (
        <PersonalDialog
          tab="password"
          onTab={(tab) => setPassword(tab === 'password')}
          onClose={() => setPassword(false)}
        />
      )}
    </div>
  )
}
