import { Button } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { signOut } from '@/api/session'
import { PersonalDialog, PersonalInfo, type PersonalTab } from '@/features/account/personal-dialog'
import { usePageTitle } from '@/lib/page-title'
import { brands, changesPassword, delegates, useMe } from '@/sdk/me'
import { useText } from '@/sdk/use-text'
import { TaskSettings } from './frame/task-settings'
import styles from './me-page.module.css'
import { ownPages } from './own-pages'
import { Preferences } from './preferences'

/** Everything about me on one page; on a phone it is the last tab. */
export function MePage() {
  const t = useText()
  usePageTitle(t('shell.me'))
  const me = useMe()
  const navigate = useNavigate()
  const [tab, setTab] = useState<PersonalTab | null>(null)
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{me?.name}</h1>
      <PersonalInfo />
      <Preferences />
      <div className={styles.actions}>
        {ownPages(me).map(({ to, title }) => (
          <Button key={to} onClick={() => void navigate(to)}>
            {t(title)}
          </Button>
        ))}
        {brands(me) && <Button onClick={() => void navigate('?panel=theme')}>{t('shell.theme')}</Button>}
        {changesPassword(me) && <Button onClick={() => setTab('password')}>{t('session.changePassword')}</Button>}
        <Button onClick={() => setTab('security')}>{t('session.security')}</Button>
        <Button onClick={() => setTab('sign-ins')}>{t('session.signIns')}</Button>
        {delegates(me) && <Button onClick={() => setTab('tasks')}>{t('session.tasks')}</Button>}
        <Button onClick={() => void signOut()}>{t('session.signOut')}</Button>
      </div>
      {tab && (
        <PersonalDialog
          tab={tab}
          onTab={setTab}
          onClose={() => setTab(null)}
          tasks={delegates(me) && <TaskSettings />}
        />
      )}
    </div>
  )
}
