import { Notice, useIsPhone } from '@sluice/sdk'
import { Button } from 'antd'
import { useEffect, useMemo, useRef, useState } from 'react'
import { texts } from '../texts'
import { BoxScene, type View } from './box-scene'
import styles from './model-view.module.css'
import type { Placed } from './placed'

interface Props {
  label: string
  parts: readonly Placed[]
  /** The color of a part, #rrggbb. */
  colorOf: (part: Placed) => string
  selected: ReadonlySet<string>
  onPick: (id: string | null) => void
}

const VIEWS: readonly View[] = ['oblique', 'top', 'side']
const cssColor = (element: Element, name: string) => getComputedStyle(element).getPropertyValue(name).trim()

/** Components as boxes in space: turned by mouse, finger and arrow keys, chosen by a click. */
export default function ModelView({ label, parts, colorOf, selected, onPick }: Props) {
  const t = texts.useText()
  const size = useIsPhone() ? 'middle' : 'small'
  const canvas = useRef<HTMLCanvasElement>(null)
  const [scene, setScene] = useState<BoxScene | null>(null)
  const [failed, setFailed] = useState(false)
  const [pointed, setPointed] = useState<string | null>(null)
  const byId = useMemo(() => new Map(parts.map((part) => [part.id, part])), [parts])
  const picked = useRef(onPick)
  picked.current = onPick

  useEffect(() => {
    if (!canvas.current) return
    try {
      const made = new BoxScene(canvas.current, { pick: (id) => picked.current(id), point: setPointed })
      setScene(made)
      return () => made.dispose()
    } catch {
      setFailed(true) // no WebGL
    }
  }, [])
  useEffect(() => scene?.show(parts), [scene, parts])
  useEffect(() => {
    if (!scene || !canvas.current) return
    const paint = () => {
      if (!canvas.current) return
      const gray = '#98a2b0'
      scene.paint((id) => colorOf(byId.get(id) as Placed) ?? gray, cssColor(canvas.current, '--text') || gray)
      scene.select(selected, cssColor(canvas.current, '--accent') || gray)
    }
    paint()
    const themes = new MutationObserver(paint)
    themes.observe(document.documentElement, { attributes: true })
    return () => themes.disconnect()
  }, [scene, byId, colorOf, selected])

  if (failed) return <Notice icon="alert" title={t('noWebGl')} />
  return (
    <div className={styles.view}>
      <canvas
        ref={canvas}
        className={styles.canvas}
        tabIndex={0}
        role="img"
        aria-label={label}
        aria-description={t('modelKeys')}
      />
      <div className={styles.tools}>
        {VIEWS.map((view) => (
          <Button key={view} size={size} onClick={() => scene?.look(view)}>
            {t(`view3d.${view}`)}
          </Button>
        ))}
        {selected.size > 0 && (
          <Button size={size} onClick={() => scene?.look('oblique', selected)}>
            {t('view3d.chosen')}
          </Button>
        )}
      </div>
      <p className={styles.pointed} aria-hidden>
        {pointed ? byId.get(pointed)?.title : t('modelHint')}
      </p>
    </div>
  )
}
