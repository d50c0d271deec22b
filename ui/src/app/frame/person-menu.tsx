import { useNavigate } from 'react-router'
import { signOut } from '@/api/session'
import { Avatar } from '@/components/avatar'
import { Icon, type IconName } from '@/components/icon'
import { brands, changesPassword, useMe } from '@/sdk/me'
import { useText } from '@/sdk/use-text'
import { ownPages } from '../own-pages'
import { Preferences } from '../preferences'
import type { Dialog } from './frame'
import styles from './person-menu.module.css'

interface PersonMenuProps {
  onDialog: (dialog: Dialog) => void
  onClose: () => void
}

/** Which tag an administrator has: the one of the whole system comes before that of applications. */
function tagOf(permissions: string[]): 'sysAdmin' | 'appAdmin' | null {
  if (permissions.includes('SYS_MNG') || permissions.includes('ADMIN')) return 'sysAdmin'
  return permissions.includes('APP_MNG') ? 'appAdmin' : null
}

export function PersonMenu({ onDialog, onClose }: PersonMenuProps) {
  const t = useText()
  const me = useMe()
  const navigate = useNavigate()
  if (!me) return null
  const entries: { icon: IconName; label: string; run: () => void }[] = [
    { icon: 'user', label: t('shell.personal'), run: () => onDialog('info') },
    ...ownPages(me).map(({ to, icon, title }) => ({
      icon,
      label: t(title),
      run: () => {
        onClose()
        void navigate(to)
      },
    })),
    ...(brands(me) ? [{ icon: 'theme' as const, label: t('shell.theme'), run: () => onDialog('theme') }] : []),
    ...(changesPassword(me)
      ? [{ icon: 'key' as const, label: t('session.changePassword'), run: () => onDialog('password') }]
      : []),
    { icon: 'keyboard', label: t('shell.shortcuts'), run: () => onDialog('shortcuts') },
    { icon: 'exit', label: t('session.signOut'), run: () => void signOut() },
  ]
  return (
    <div className={styles.menu}>
      <div className={styles.who}>
        <Avatar name={me.name} src={me.imgUrl} size={40} />
        <div>
          <strong>{me.name}</strong>
          {tagOf(me.permissions) && (
            <span className={styles.tag}>{t(`shell.${tagOf(me.permissions) as 'sysAdmin'}`)}</span>
          )}
          <p title={me.parentDepartmentName ?? undefined}>
            {[me.departmentName, me.position].filter(Boolean).join(' · ')}
          </p>
          {me.mobile && <p className="tabular">{me.mobile}</p>}
        </div>
      </div>
      <div className={styles.preferences}>
        <Preferences />
      </div>
      <ul>
        {entries.map((entry) => (
          <li key={entry.icon}>
            <button type="button" className={styles.entry} onClick={entry.run}>
              <Icon name={entry.icon} />
              {entry.label}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
