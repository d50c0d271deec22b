import styles from './paper.module.css'
import { ticksOf } from './snap'

/** The width of rulers in pixels. */
export const RULER = 20

/** A ruler in millimeters; its zero is the margin. */
export function Ruler({
  axis,
  from,
  to,
  inner,
  scale,
  offset,
}: {
  axis: 'x' | 'y'
  from: number
  to: number
  inner: number
  scale: number
  offset: number
}) {
  const length = (to - from) * scale
  const place = (at: number) => (at - from) * scale
  const lies = axis === 'x'
  return (
    <svg
      className={styles.ruler}
      style={lies ? { left: offset } : { top: offset }}
      width={lies ? length : RULER}
      height={lies ? RULER : length}
      aria-hidden="true"
    >
      <rect
        className={styles.rulerInner}
        {...(lies
          ? { x: place(0), y: 0, width: inner * scale, height: RULER }
          : { x: 0, y: place(0), width: RULER, height: inner * scale })}
      />
      <path
        className={styles.ticks}
        d={ticksOf(from, to, scale)
          .map(({ at, size }) => {
            const long = size === 3 ? 9 : size === 2 ? 6 : 3
            return lies ? `M${place(at)} ${RULER}v${-long}` : `M${RULER} ${place(at)}h${-long}`
          })
          .join('')}
      />
      {ticksOf(from, to, scale)
        .filter(({ size }) => size === 3)
        .map(({ at }) => (
          <text key={at} {...(lies ? { x: place(at) + 2, y: 9 } : { x: 2, y: place(at) + 9 })}>
            {Math.abs(at)}
          </text>
        ))}
    </svg>
  )
}
