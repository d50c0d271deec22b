import { useNavigate } from 'react-router'
import { signOut } from '@/api/session'
import type { Command } from '@/features/menu/command-palette'
import { setLocale } from '@/i18n/i18n'
import { useLocale } from '@/i18n/locale'
import { useAppearance } from '@/lib/appearance'
import { changesPassword, useMe } from '@/sdk/me'
import { useText } from '@/sdk/use-text'
import { ownPages } from '../own-pages'
import type { Dialog } from './frame'

/** What the palette offers besides pages. */
export function useCommands(onDialog: (dialog: Dialog) => void): Command[] {
  const t = useText()
  const me = useMe()
  const locale = useLocale()
  const navigate = useNavigate()
  const { appearance, choose } = useAppearance()
  const other = appearance === 'dark' ? 'light' : 'dark'
  return [
    { name: 'apps', label: t('shell.allApps'), icon: 'grid', run: () => navigate('/app-list/applications') },
    { name: 'messages', label: t('message.title'), icon: 'bell', run: () => navigate('/message-notification') },
    {
      name: 'appearance',
      label: `${t('shell.appearance')} ${t(`shell.${other}`)}`,
      icon: other === 'dark' ? 'moon' : 'sun',
      run: () => choose(other),
    },
    {
      name: 'language',
      label: t('session.otherLanguage'),
      icon: 'globe',
      run: () => void setLocale(locale === 'zh' ? 'en' : 'zh'),
    },
    { name: 'personal', label: t('shell.personal'), icon: 'user', run: () => onDialog('info') },
    ...ownPages(me).map(({ to, icon, title }) => ({ name: to, label: t(title), icon, run: () => navigate(to) })),
    ...(changesPassword(me)
      ? [
          {
            name: 'password',
            label: t('session.changePassword'),
            icon: 'key' as const,
            run: () => onDialog('password'),
          },
        ]
      : []),
    { name: 'shortcuts', label: t('shell.shortcuts'), icon: 'keyboard', run: () => onDialog('shortcuts') },
    { name: 'signOut', label: t('session.signOut'), icon: 'exit', run: () => void signOut() },
  ]
}
