import { Modal, Skeleton, Tabs } from 'antd'
import { lazy, type ReactNode, Suspense } from 'react'
import { Avatar } from '@/components/avatar'
import { loadLaterTexts } from '@/i18n/i18n'
import { formatInstant } from '@/lib/dates'
import { changesPassword, useMe } from '@/sdk/me'
import { useTextContext } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { PasswordForm } from './components/password-form'
import styles from './personal-dialog.module.css'

const SignIns = lazy(() =>
  Promise.all([import('./sign-ins'), loadLaterTexts()]).then(([m]) => ({ default: m.SignIns })),
)

const Security = lazy(() =>
  Promise.all([import('./security'), loadLaterTexts()]).then(([m]) => ({ default: m.Security })),
)

const MailChoices = lazy(() =>
  Promise.all([import('./mail-choices'), loadLaterTexts()]).then(([m]) => ({
    default: m.MailChoices,
  })),
)

export type PersonalTab = 'info' | 'password' | 'security' | 'sign-ins' | 'notifications' | 'tasks'

/** Who I am, and my password. */
export function PersonalDialog({
  tab,
  onTab,
  tasks,
  onClose,
}: {
  tab: PersonalTab
  onTab: (tab: PersonalTab) => void
  /** What the person uses when they handle tasks; missing for those who handle none. */
  tasks?: ReactNode
  onClose: () => void
}) {
  const t = useText()
  const me = useMe()
  return (
    <Modal open footer={null} width={800} onCancel={onClose} title={me?.name}>
      <Tabs
        activeKey={tab}
        onChange={(key) => onTab(key as PersonalTab)}
        items={[
          { key: 'info', label: t('shell.personal'), children: <PersonalInfo /> },
          ...(changesPassword(me)
            ? [
                {
                  key: 'password',
                  label: t('session.changePassword'),
                  children: <PasswordForm onDone={onClose} />,
                },
              ]
            : []),
          {
            key: 'security',
            label: t('session.security'),
            children: (
              <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 5 }} />}>
                <Security />
              </Suspense>
            ),
          },
          {
            key: 'sign-ins',
            label: t('session.signIns'),
            children: (
              <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 5 }} />}>
                <SignIns />
              </Suspense>
            ),
          },
          {
            key: 'notifications',
            label: t('session.notifications'),
            children: (
              <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 5 }} />}>
                <MailChoices />
              </Suspense>
            ),
          },
          ...(tasks
            ? [
                {
                  key: 'tasks',
                  label: t('session.tasks'),
                  children: (
                    <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 5 }} />}>{tasks}</Suspense>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Modal>
  )
}

export function PersonalInfo() {
  const t = useText()
  const me = useMe()
  const context = useTextContext()
  if (!me) return null
  const department = [me.parentDepartmentName, me.departmentName].filter(Boolean).join(' / ')
  const rows: [string, string | null | undefined][] = [
    [t('shell.fields.username'), me.username],
    [t('shell.fields.department'), department],
    [t('shell.fields.position'), me.position],
    [t('shell.fields.role'), me.roleName],
    [t('shell.fields.employeeNo'), me.employeeNo],
    [t('shell.fields.mobile'), me.mobile],
    [t('shell.fields.email'), me.email],
    [t('shell.fields.remark'), me.remark],
    [
      t('shell.fields.lastLogin'),
      me.lastLoginTime ? formatInstant(me.lastLoginTime, 'yyyy-MM-dd HH:mm', context) : null,
    ],
  ]
  return (
    <div className={styles.info}>
      <Avatar name={me.name} src={me.imgUrl} size={56} />
      <dl className={styles.fields}>
        {rows
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </div>
  )
}
