import { lazy, Suspense } from 'react'
import { Outlet, useLocation, useParams } from 'react-router'
import { useMenuStore } from '@/features/menu/menu-store'
import { SideMenu } from '@/features/menu/side-menu'
import { useCurrentEntry } from '@/features/menu/use-current-entry'
import { useVisit } from '@/features/menu/use-visit'
import { useIsNarrow, useIsPhone } from '@/lib/use-media'
import styles from './frame.module.css'

const MenuDrawer = lazy(() => import('@/features/menu/menu-drawer').then((m) => ({ default: m.MenuDrawer })))

/** An application: its menu beside its pages. */
export function ApplicationFrame() {
  const { appCode = '' } = useParams()
  const phone = useIsPhone()
  const narrow = useIsNarrow()
  const entry = useCurrentEntry(appCode)
  const { pathname } = useLocation()
  const inside = pathname.startsWith(`/application/${appCode}/`)
  useVisit(entry && inside ? { kind: 'page', place: appCode, code: entry.code } : null)
  const full = /\/BIMView$/.test(pathname)
  const over = useMenuStore((state) => state.over)
  return (
    <div className={styles.application}>
      {!narrow && !full && <SideMenu appCode={appCode} />}
      <Suspense fallback={null}>{!phone && narrow && over && <MenuDrawer appCode={appCode} />}</Suspense>
      <div className={styles.content}>
        <Outlet />
      </div>
    </div>
  )
}
