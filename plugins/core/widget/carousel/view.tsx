import {
  Icon,
  optionText,
  PortalLink,
  targetOf,
  useLocale,
  useMedia,
  useText,
  WidgetEmpty,
  type WidgetProps,
} from '@sluice/sdk'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import styles from './carousel.module.css'

interface Photo {
  name: string
  name_i18n?: Record<string, string> | null
  picUrlSrc?: string | null
  to?: string | null
  external?: boolean
  openType?: string
}

interface Options {
  photos: Photo[]
  autoplay?: boolean
  intervalSeconds?: number
}

/** A finger that moved less than this in pixels pressed. */
const SWIPE = 40

/** Pictures one after the other. They stand still while somebody points at them or has the focus in them, and for those who want no motion. */
export function Carousel({ widget, page }: WidgetProps<Options>) {
  const t = useText()
  const locale = useLocale()
  const { photos, autoplay = true, intervalSeconds = 3 } = widget.options
  const still = useMedia('(prefers-reduced-motion: reduce)')
  const [at, setAt] = useState(0)
  const [held, setHeld] = useState(false)
  const [paused, setPaused] = useState(false)
  const touch = useRef<{ x: number; moved: boolean } | null>(null)
  const count = photos.length
  const turns = autoplay && count > 1 && !still && page.mode !== 'design'
  const runs = turns && !held && !paused
  useEffect(() => {
    if (!runs) return
    const timer = setInterval(() => {
      if (!document.hidden) setAt((now) => (now + 1) % count)
    }, intervalSeconds * 1000)
    return () => clearInterval(timer)
  }, [runs, count, intervalSeconds])
  const current = at % Math.max(count, 1)
  const turn = (by: number) => setAt((current + by + count) % count)
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (by === undefined || count < 2) return
    event.preventDefault()
    turn(by)
  }
  const onDown = (event: PointerEvent) => {
    touch.current = event.pointerType === 'mouse' ? null : { x: event.clientX, moved: false }
  }
  const onUp = (event: PointerEvent) => {
    const by = touch.current ? event.clientX - touch.current.x : 0
    if (!touch.current || Math.abs(by) < SWIPE || count < 2) return
    touch.current.moved = true
    turn(by < 0 ? 1 : -1)
  }
  if (count === 0) return <WidgetEmpty text={t('portal.noRecords')} />
  return (
    <section
      className={styles.carousel}
      aria-roledescription="carousel"
      aria-label={t('portal.slides')}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onKeyDown={onKey}
      onPointerDown={onDown}
      onPointerUp={onUp}
      onClickCapture={(event) => {
        if (touch.current?.moved) event.preventDefault()
        touch.current = null
      }}
    >
      <div className={styles.slides} aria-live={runs ? 'off' : 'polite'}>
        {photos.map((photo, i) => {
          const name = optionText(photo, 'name', locale)
          const shown = i === current
          return (
            // biome-ignore lint/a11y/useSemanticElements: a slide is a group by its pattern
            <div
              key={i}
              role="group"
              aria-roledescription="slide"
              aria-label={t('portal.slide', { at: i + 1, count })}
              className={styles.slide}
              data-shown={shown || undefined}
              inert={!shown}
            >
              <PortalLink {...targetOf(photo)} className={styles.link}>
                {photo.picUrlSrc && (
                  <img src={photo.picUrlSrc} alt="" loading={i === 0 ? 'eager' : 'lazy'} draggable={false} />
                )}
                {name && <span className={styles.name}>{name}</span>}
              </PortalLink>
            </div>
          )
        })}
      </div>
      {count > 1 && (
        <>
          <button type="button" className={styles.side} aria-label={t('portal.previous')} onClick={() => turn(-1)}>
            <Icon name="left" size={18} />
          </button>
          <button type="button" className={styles.side} data-next aria-label={t('portal.next')} onClick={() => turn(1)}>
            <Icon name="right" size={18} />
          </button>
          <div className={styles.foot}>
            {photos.map((photo, i) => (
              <button
                key={i}
                type="button"
                className={styles.dot}
                aria-label={optionText(photo, 'name', locale) || t('portal.slide', { at: i + 1, count })}
                aria-current={i === current || undefined}
                onClick={() => setAt(i)}
              />
            ))}
            {turns && (
              <button
                type="button"
                className={styles.play}
                aria-label={t(paused ? 'portal.play' : 'portal.pause')}
                onClick={() => setPaused(!paused)}
              >
                {paused ? '▶' : '❚❚'}
              </button>
            )}
          </div>
        </>
      )}
    </section>
  )
}
