import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { Icon } from '@/components/icon'
import { useHeld, useHeldPhone } from '@/lib/use-held'
import { useMedia } from '@/lib/use-media'
import styles from './split-page.module.css'
import { useText } from './use-text'

interface SplitPageProps {
  title: string
  /** Beside the title: a project, a filter. */
  beside?: ReactNode
  /** Buttons at the end of the title row. */
  actions?: ReactNode
  /** What the side is called; a phone's way back to it says so. */
  sideLabel: string
  side: ReactNode
  /** A third column, at the end. */
  end?: ReactNode
  endLabel?: string
  /** A phone shows what was chosen in place of the side. */
  chosen: boolean
  onBack: () => void
  children: ReactNode
}

const LEAST = 220
const MOST = 560

/** Three columns would be too narrow to read: the third one is below the second. */
const NARROW = '(max-width: 1023px)'

/** A page with a list or tree at its side. On a phone the side is the page, and what is chosen in it the next one. */
export function SplitPage(props: SplitPageProps) {
  const { title, beside, actions, sideLabel, side, end, endLabel, chosen, onBack, children } = props
  const t = useText()
  const phone = useHeldPhone()
  const narrow = useHeld(useMedia(NARROW))
  const [width, setWidth] = useState(320)
  const drag = (from: number) => {
    const before = width
    const move = (event: PointerEvent) => setWidth(Math.min(MOST, Math.max(LEAST, before + event.clientX - from)))
    const stop = () => {
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', stop)
    }
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', stop)
  }
  return (
    <div className={styles.page}>
      {!(phone && chosen) && (
        <header className={styles.head}>
          <h1>{title}</h1>
          {beside}
          <span className={styles.gap} />
          {actions}
        </header>
      )}
      <div className={styles.body}>
        {!(phone && chosen) && (
          <nav className={styles.side} aria-label={sideLabel} style={phone ? {} : { width }}>
            {side}
          </nav>
        )}
        {!phone && (
          // biome-ignore lint/a11y/useSemanticElements: a rule cannot be dragged
          <div
            className={styles.edge}
            role="separator"
            aria-orientation="vertical"
            aria-label={t('common.resize')}
            aria-valuemin={LEAST}
            aria-valuemax={MOST}
            aria-valuenow={width}
            tabIndex={0}
            onPointerDown={(event) => {
              event.preventDefault()
              drag(event.clientX)
            }}
            onKeyDown={(event) => {
              const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key]
              if (step) setWidth((now) => Math.min(MOST, Math.max(LEAST, now + step)))
            }}
          />
        )}
        {(!phone || chosen) && (
          <div className={styles.main}>
            {phone && (
              <Button className={styles.back ?? ''} type="text" icon={<Icon name="left" />} onClick={onBack}>
                {sideLabel}
              </Button>
            )}
            {children}
            {end && narrow && (
              <section className={styles.below} aria-label={endLabel}>
                {end}
              </section>
            )}
          </div>
        )}
        {end && !narrow && (
          <section className={styles.end} aria-label={endLabel}>
            {end}
          </section>
        )}
      </div>
    </div>
  )
}
