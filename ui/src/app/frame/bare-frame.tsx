import { Suspense } from 'react'
import { Outlet } from 'react-router'
import styles from './frame.module.css'

/** Inside a frame of another page of ours: the page without what is around it. */
export function BareFrame() {
  return (
    <div className={styles.frame}>
      <main id="content" tabIndex={-1} className={styles.main}>
        <Suspense fallback={null}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  )
}
