import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Outlet, useMatch } from 'react-router'
import { followEvents } from '@/api/events'
import { seeAs } from '@/api/see-as'
import { arriving } from '@/features/account/arrived'
import { loadView } from '@/features/list/views'
import { loadLaterTexts } from '@/i18n/i18n'
import { useLocale } from '@/i18n/locale'
import { useHotkey } from '@/lib/hotkeys'
import { localName } from '@/lib/local-name'
import { usePlaceTitle } from '@/lib/page-title'
import { PHONE, useIsPhone } from '@/lib/use-media'
import { useSearch, withParams } from '@/lib/use-search'
import { appsQuery } from '@/sdk/home'
import { brands, delegates, useMe } from '@/sdk/me'
import { systemConfigQuery, useSystemConfig } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { DevOverlay } from '../dev-overlay'
import { applicationFrame, listPage } from '../parts'
import styles from './frame.module.css'
import { Header } from './header'
import { TabBar } from './tab-bar'
import { TaskSettings } from './task-settings'
import { useCommands } from './use-commands'

const CommandPalette = lazy(() =>
  Promise.all([import('@/features/menu/command-palette'), loadLaterTexts()]).then(([m]) => ({
    default: m.CommandPalette,
  })),
)
const ThemeDrawer = lazy(() =>
  Promise.all([import('./theme-drawer'), loadLaterTexts()]).then(([m]) => ({ default: m.ThemeDrawer })),
)
const ShortcutHelp = lazy(() => import('./shortcut-help').then((m) => ({ default: m.ShortcutHelp })))
const PersonalDialog = lazy(() =>
  import('@/features/account/personal-dialog').then((m) => ({ default: m.PersonalDialog })),
)
const Arrival = lazy(() =>
  Promise.all([import('@/features/account/arrival'), loadLaterTexts()]).then(([m]) => ({ default: m.Arrival })),
)

const SeenAs = lazy(() => Promise.all([import('./seen-as'), loadLaterTexts()]).then(([m]) => ({ default: m.SeenAs })))

/** What comes next after signing in, fetched while nobody waits for it. */
function preloadPages() {
  const timer = setTimeout(() => {
    void listPage.read()
    void loadView(window.matchMedia(PHONE).matches)
    void applicationFrame.read()
  }, 400)
  return () => clearTimeout(timer)
}

/** An address with panel=theme opens the drawer; the address goes on without it. */
function usePanel(onDialog: (dialog: Dialog) => void) {
  const [search, setSearch] = useSearch()
  const wanted = search.get('panel') === 'theme'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each address
  useEffect(() => {
    if (!wanted) return
    onDialog('theme')
    setSearch((now) => withParams(now, { panel: null }), { replace: true })
  }, [wanted])
}

/** Theme, name and logo that somebody set hold on every open page. */
function useBrandingEvents() {
  const client = useQueryClient()
  useEffect(() => {
    const ask = () => void client.invalidateQueries({ queryKey: systemConfigQuery.queryKey })
    return followEvents({ branding: ask }, ask)
  }, [client])
}

export type Dialog =
  | 'palette'
  | 'info'
  | 'password'
  | 'security'
  | 'sign-ins'
  | 'notifications'
  | 'tasks'
  | 'shortcuts'
  | 'theme'
  | null

type Personal = 'info' | 'password' | 'security' | 'sign-ins' | 'notifications' | 'tasks'

const PERSONAL: (Dialog | Personal)[] = ['info', 'password', 'security', 'sign-ins', 'notifications', 'tasks']

const personal = (dialog: Dialog): dialog is Personal => PERSONAL.includes(dialog)

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
  const me = useMe()
  usePanel(setDialog)
  useBrandingEvents()
  const [arrives] = useState(arriving)
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
        {seeAs() && <SeenAs />}
        {dialog === 'palette' && <CommandPalette commands={commands} onClose={close} />}
        {arrives && <Arrival onChangePassword={() => setDialog('password')} />}
        {personal(dialog) && (
          <PersonalDialog tab={dialog} onTab={setDialog} onClose={close} tasks={delegates(me) && <TaskSettings />} />
        )}
        {dialog === 'theme' && brands(me) && <ThemeDrawer onClose={close} />}
        {dialog === 'shortcuts' && <ShortcutHelp onClose={close} />}
      </Suspense>
    </div>
  )
}
