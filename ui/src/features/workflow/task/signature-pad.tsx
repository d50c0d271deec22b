import { Button, Checkbox } from 'antd'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { Icon } from '@/components/icon'
import { Sheet } from '@/sdk/sheet'
import { useText } from '@/sdk/use-text'
import { drawStrokes, type Point, pictureOf, type Stroke } from './ink'
import styles from './opinion.module.css'

interface Props {
  /** Offers to keep it for next time. */
  offersKeeping: boolean
  onClose: () => void
  onSigned: (ink: Blob, keep: boolean) => void
}

/** Where a signature is written with a mouse, a pen or a finger. */
export function SignaturePad({ offersKeeping, onClose, onSigned }: Props) {
  const t = useText()
  const canvas = useRef<HTMLCanvasElement>(null)
  const writing = useRef<{ id: number; points: Point[] } | null>(null)
  const [strokes, setStrokes] = useState<readonly Stroke[]>([])
  const [keep, setKeep] = useState(false)
  const draw = (all: readonly Stroke[]) => {
    const at = canvas.current
    const to = at?.getContext('2d')
    if (!at || !to) return
    const ratio = window.devicePixelRatio || 1
    const { width, height } = at.getBoundingClientRect()
    if (at.width !== Math.round(width * ratio)) at.width = Math.round(width * ratio)
    if (at.height !== Math.round(height * ratio)) at.height = Math.round(height * ratio)
    to.setTransform(ratio, 0, 0, ratio, 0, 0)
    to.clearRect(0, 0, width, height)
    drawStrokes(to, all, '#111111')
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: draw reads nothing of the render
  useEffect(() => {
    draw(strokes)
    const at = canvas.current
    if (!at || typeof ResizeObserver === 'undefined') return
    const watch = new ResizeObserver(() => draw(strokes))
    watch.observe(at)
    return () => watch.disconnect()
  }, [strokes])
  const pointOf = (event: PointerEvent<HTMLCanvasElement>): Point => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top, p: event.pressure || 0.5 }
  }
  const begin = (event: PointerEvent<HTMLCanvasElement>) => {
    if (writing.current || event.button > 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture?.(event.pointerId)
    writing.current = { id: event.pointerId, points: [pointOf(event)] }
  }
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    const now = writing.current
    if (!now || now.id !== event.pointerId) return
    now.points.push(pointOf(event))
    draw([...strokes, now.points])
  }
  const end = (event: PointerEvent<HTMLCanvasElement>) => {
    const now = writing.current
    if (!now || now.id !== event.pointerId) return
    writing.current = null
    setStrokes([...strokes, now.points])
  }
  const use = async () => {
    const ink = await pictureOf(strokes)
    if (ink) onSigned(ink, keep)
  }
  const empty = strokes.length === 0
  return (
    <Sheet
      title={t('opinion.signTitle')}
      width={560}
      onClose={onClose}
      footer={
        <div className={styles.padFoot}>
          <Button
            icon={<Icon name="reply" size={14} />}
            disabled={empty}
            onClick={() => setStrokes(strokes.slice(0, -1))}
          >
            {t('opinion.signUndo')}
          </Button>
          <Button disabled={empty} onClick={() => setStrokes([])}>
            {t('opinion.signClear')}
          </Button>
          <span className={styles.gap} />
          <Button type="primary" disabled={empty} onClick={() => void use()}>
            {t('opinion.signUse')}
          </Button>
        </div>
      }
    >
      <div className={styles.pad}>
        <canvas
          ref={canvas}
          role="img"
          aria-label={t('opinion.signHere')}
          onPointerDown={begin}
          onPointerMove={move}
          onPointerUp={end}
          onPointerCancel={end}
        />
        {empty && <span aria-hidden="true">{t('opinion.signHere')}</span>}
      </div>
      <p className={styles.note}>{t('opinion.signHint')}</p>
      {offersKeeping && (
        <Checkbox checked={keep} onChange={(event) => setKeep(event.target.checked)}>
          {t('opinion.signKeep')}
        </Checkbox>
      )}
    </Sheet>
  )
}
