import { Button, Drawer } from 'antd'
import { Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { Hint } from '@/components/hint'
import { Icon } from '@/components/icon'
import { keepFocus } from '@/lib/return-focus'
import { useText } from '@/sdk/use-text'
import { recordRoute } from './parts'
import styles from './record-drawer.module.css'

const RecordRoute = recordRoute.draw((m) => m.RecordRoute)

/** The second click of a double-click hits the mask, not the row. */
const DOUBLE_CLICK = 400

/** A record over the list it was opened from; the address is the record's, Back and Esc return to the list. */
export function RecordDrawer() {
  const t = useText()
  const navigate = useNavigate()
  const location = useLocation()
  const closing = useRef(false)
  const [opened] = useState(Date.now)
  const [returnFocus] = useState(keepFocus)
  useEffect(() => () => void setTimeout(returnFocus), [returnFocus])
  const close = useCallback(() => {
    if (closing.current) return
    closing.current = true
    navigate(-1)
    setTimeout(() => {
      closing.current = false
    }, 300)
  }, [navigate])
  return (
    <Drawer
      open
      onClose={(event) => (event.type !== 'click' || Date.now() - opened > DOUBLE_CLICK) && close()}
      size="min(960px, 92vw)"
      closable={false}
      rootClassName={styles.drawer ?? ''}
      styles={{ body: { padding: 0 } }}
      aria-label={t('common.open')}
    >
      <div className={styles.tools}>
        <Hint title={t('shell.fullPage')}>
          <Button
            type="text"
            aria-label={t('shell.fullPage')}
            icon={<Icon name="expand" />}
            onClick={() => navigate(location.pathname + location.search, { replace: true, state: null })}
          />
        </Hint>
        <Hint title={t('shell.newWindow')}>
          <Button
            type="text"
            aria-label={t('shell.newWindow')}
            icon={<Icon name="external" />}
            onClick={() => window.open(location.pathname + location.search, '_blank', 'noopener')}
          />
        </Hint>
        <Hint title={t('shell.close')}>
          <Button type="text" aria-label={t('shell.close')} icon={<Icon name="close" />} onClick={close} />
        </Hint>
      </div>
      {/* In a section a page's head is no banner beside the frame's own. */}
      <section className={styles.page}>
        <Suspense fallback={null}>
          <RecordRoute onClose={close} inDrawer />
        </Suspense>
      </section>
    </Drawer>
  )
}
