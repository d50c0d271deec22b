import { Outlet, useParams } from 'react-router'
import { SideMenu } from '@/features/menu/side-menu'
import { useIsPhone } from '@/lib/use-media'
import styles from './frame.module.css'

/** An application: its menu beside its pages. */
export function ApplicationFrame() {
  const { appCode = '' } = useParams()
  const phone = useIsPhone()
  return (
    <div className={styles.application}>
      {!phone && <SideMenu appCode={appCode} />}
      <div className={styles.content}>
        <Outlet />
      </div>
    </div>
  )
}
