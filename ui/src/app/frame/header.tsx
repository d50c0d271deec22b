import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import { Link, useMatch } from 'react-router'
import { Avatar } from '@/components/avatar'
import { HeaderPopover } from '@/components/header-popover'
import { Hint } from '@/components/hint'
import { Icon } from '@/components/icon'
import { ProductMark } from '@/components/product-mark'
import { useMenuStore } from '@/features/menu/menu-store'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { useSettled } from '@/lib/settled'
import { useIsNarrow, useIsPhone } from '@/lib/use-media'
import { appsQuery } from '@/sdk/home'
import { maintains, useMe } from '@/sdk/me'
import { systemConfigQuery } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { AppSwitcher } from './app-switcher'
import type { Dialog } from './frame'
import styles from './header.module.css'

const BackgroundNote = lazy(() => import('./background-note').then((m) => ({ default: m.BackgroundNote })))
const Bell = lazy(() => import('@/features/message/bell').then((m) => ({ default: m.Bell })))
const JobNotes = lazy(() => import('@/features/task/job-notes').then((m) => ({ default: m.JobNotes })))
const Breadcrumb = lazy(() => import('./breadcrumb').then((m) => ({ default: m.Breadcrumb })))
const Place = lazy(() => import('./place').then((m) => ({ default: m.Place })))
const ProjectName = lazy(() => import('./project').then((m) => ({ default: m.ProjectName })))
const PersonMenu = lazy(() => import('./person-menu').then((m) => ({ default: m.PersonMenu })))

const modifier = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl '

export function Header({ onDialog }: { onDialog: (dialog: Dialog) => void }) {
  const t = useText()
  const locale = useLocale()
  const phone = useIsPhone()
  const { data: system, isPending: nameless } = useQuery(systemConfigQuery)
  const me = useMe()
  const appCode = useMatch('/application/:appCode/*')?.params.appCode
  const center = useMatch('/workflow-center/*') !== null
  const narrow = useIsNarrow()
  const { collapsed, toggle, over, setOver } = useMenuStore()
  const settled = useSettled()
  const { isPending: unknown } = useQuery(appsQuery)
  const toggleText = narrow ? t('shell.openMenu') : collapsed ? t('shell.expandMenu') : t('shell.collapseMenu')
  const product = (!phone || !appCode) && system ? localName(system, locale) : ''
  // Names make what is beside them move, so all of it shows when they are known.
  const coming = nameless || (appCode !== undefined && unknown)
  return (
    <header className={styles.header}>
      <Link
        className={styles.product}
        data-coming={coming || undefined}
        to="/app-list/applications"
        aria-label={product ? t('shell.homeOf', { name: product }) : t('shell.home')}
      >
        {system?.logoUrl ? <img className={styles.logo} src={system.logoUrl} alt="" /> : <ProductMark />}
        {product && <span>{product}</span>}
      </Link>
      {appCode && (
        <>
          <span className={styles.slash} aria-hidden="true" />
          {!coming && <AppSwitcher appCode={appCode} />}
        </>
      )}
      {!coming && (center ? !narrow : appCode && !phone) && (
        <Hint title={toggleText}>
          <Button
            type="text"
            aria-label={toggleText}
            {...(narrow
              ? { 'aria-expanded': over, 'aria-haspopup': 'dialog' as const }
              : { 'aria-pressed': collapsed })}
            icon={<Icon name={narrow ? 'menu' : 'panel'} />}
            onClick={narrow ? () => setOver(true) : toggle}
          />
        </Hint>
      )}
      {settled && me && (
        <Suspense fallback={null}>
          {!coming && (appCode ? !narrow && <Breadcrumb appCode={appCode} /> : <Place />)}
        </Suspense>
      )}
      <span className={styles.gap} />
      {settled && maintains(me) && (
        <Suspense fallback={null}>
          <BackgroundNote />
        </Suspense>
      )}
      {settled && me && !narrow && (
        <Suspense fallback={null}>
          <ProjectName />
        </Suspense>
      )}
      {settled && me && (
        <Suspense fallback={null}>
          <JobNotes />
        </Suspense>
      )}
      <button
        type="button"
        className={styles.search}
        aria-label={phone ? t('shell.palette') : undefined}
        aria-keyshortcuts="Control+K"
        onClick={() => onDialog('palette')}
      >
        <Icon name="search" size={phone ? 18 : 14} />
        {!phone && (
          <>
            <span>{t('shell.palette')}</span>
            <kbd>{modifier}K</kbd>
          </>
        )}
      </button>
      {!phone && me && !settled && (
        <>
          <span className={styles.person} />
          <span className={styles.person}>
            <Avatar name={me.name} src={me.imgUrl} size={28} />
          </span>
        </>
      )}
      {!phone && me && settled && (
        <Suspense fallback={<span className={styles.person} />}>
          <Bell />
        </Suspense>
      )}
      {!phone && me && settled && (
        <HeaderPopover
          className={styles.person}
          label={t('shell.account')}
          panel={t('shell.account')}
          content={(close) => (
            <Suspense fallback={<div style={{ width: 264, height: 300 }} />}>
              <PersonMenu
                onClose={close}
                onDialog={(dialog) => {
                  close()
                  onDialog(dialog)
                }}
              />
            </Suspense>
          )}
        >
          <Avatar name={me.name} src={me.imgUrl} size={28} />
        </HeaderPopover>
      )}
    </header>
  )
}
