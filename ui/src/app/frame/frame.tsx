import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Outlet, useMatch } from 'react-router'
import { loadView } from '@/features/list/views'
import { appsQuery } from '@/features/menu/queries'
import { useLocale } from '@/i18n/locale'
import { useHotkey } from '@/lib/hotkeys'
import { localName } from '@/lib/local-name'
import { usePlaceTitle } from '@/lib/page-title'
import { PHONE, useIsPhone } from '@/lib/use-media'
import { useSystemConfig } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { DevOverlay } from '../dev-overlay'
import { applicationFrame, listPage } from '../parts'
import styles from './frame.module.css'
import { Header } from './header'
import { TabBar } from './tab-bar'
import { useCommands } from './use-commands'

const CommandPalette = lazy(() =>
  import('@/features/menu/command-palette').then((m) => ({ default: m.CommandPalette })),
)
const ShortcutHelp = lazy(() => import('./shortcut-help').then((m) => ({ default: m.ShortcutHelp })))
const PersonalDialog = lazy(() =>
  import('@/features/account/personal-dialog').then((m) => ({ default: m.PersonalDialog })),
)

/** What comes next after signing in, fetched while nobody waits for it. */
function preloadPages() {
  const timer = setTimeout(() => {
    void listPage.read()
    void loadView(window.matchMedia(PHONE).matches)
    void applicationFrame.read()
  }, 400)
  return () => clearTimeout(timer)
}

export type Dialog = 'palette' | 'info' | 'password' | 'shortcuts' | null

/** The frame of every page behind the sign-in. */
export function Frame() {
  const t = useText()
  const locale = useLocale()
  const phone = useIsPhone()
  const system = useSystemConfig()
  const [dialog, setDialog] = useState<Dialog>(null)
  const commands = useCommands(setDialog)
  useHotkey('mod+k', () => setDialog((open) => (open === 'palette' ? null : 'palette')))
  useHotkey('?', () => setDialog('shortcuts'))
  const close = () => setDialog(null)
  useEffect(preloadPages, [])
  const appCode = useMatch('/application/:appCode/*')?.params.appCode
  const { data: apps = [] } = useQuery(appsQuery)
  const app = apps.find((one) => one.code === appCode)
  usePlaceTitle(app && localName(app, locale), system && localName(system, locale))
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        {t('shell.skip')}
      </a>
      <Header onDialog={setDialog} />
      <main id="content" tabIndex={-1} className={styles.main}>
        <Suspense fallback={null}>
          <Outlet />
        </Suspense>
      </main>
      {phone && <TabBar />}
      {system?.dev !== undefined && <DevOverlay dev={system.dev} />}
      <Suspense fallback={null}>
        {dialog === 'palette' && <CommandPalette commands={commands} onClose={close} />}
        {(dialog === 'info' || dialog === 'password') && (
          <PersonalDialog tab={dialog} onTab={setDialog} onClose={close} />
        )}
        {dialog === 'shortcuts' && <ShortcutHelp onClose={close} />}
      </Suspense>
    </div>
  )
}
