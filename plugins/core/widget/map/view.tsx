import {
  Icon,
  optionText,
  PortalLink,
  type PortalRows,
  useErrorText,
  useLocale,
  useText,
  useWidth,
  WidgetCard,
  WidgetEmpty,
  WidgetFailed,
  type WidgetProps,
  WidgetWaiting,
} from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { type PointerEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { colorsOf, type RowColor } from '../shared/colors'
import styles from './map.module.css'
import { type Bounds, boundsOf, pixelOf, type Spot, scaleBar, type View, viewOf } from './project'

interface Options {
  icon?: string
  iconSrc?: string | null
  longitudeField: string
  latitudeField: string
  displayField?: string[]
  colorField?: string
  picUrlSrc?: string | null
  bounds?: Bounds
  moreTo?: string | null
}

interface Point extends Spot {
  id: string
  to: string
  name: string
  notes: string[]
  color: RowColor | null
}

const MOST = 100
/** More points than this have no names beside them. */
const NAMED = 14
/** Narrower than this neither. */
const WORDS = 440
const ZOOM = 1.6

/** Records by their coordinates, over a plan where there is one. */
export function PlaceMap({ widget, page }: WidgetProps<Options>) {
  const t = useText()
  const locale = useLocale()
  const errorText = useErrorText()
  const { options } = widget
  const { data, error, refetch } = useQuery({ ...page.rows(widget.id, { page: 0, size: MOST }), retry: false })
  const points = useMemo(() => (data ? pointsOf(data, options) : []), [data, options])
  const title = optionText(options, 'title', locale)
  const name = title || t('portal.map')
  return (
    <WidgetCard title={title} label={name} icon={options.icon} iconSrc={options.iconSrc} more={options.moreTo} flush>
      {error && !data ? (
        <WidgetFailed text={errorText(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <WidgetWaiting lines={4} />
      ) : points.length === 0 && !options.bounds ? (
        <WidgetEmpty text={t('portal.noPlacesOnMap')} />
      ) : (
        <Plan
          points={points}
          options={options}
          label={t('portal.points', { name, count: points.length })}
          note={data.more ? t('portal.onlyFirst', { count: data.rows.length }) : ''}
        />
      )}
    </WidgetCard>
  )
}

const degrees = (value: unknown, most: number) => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Math.abs(number) <= most ? number : null
}

function pointsOf(data: PortalRows, options: Options): Point[] {
  const at = (code: string | undefined) => data.columns.findIndex((column) => column.propertyCode === code)
  const [east, north] = [at(options.longitudeField), at(options.latitudeField)]
  const shown = (options.displayField ?? ['name']).map(at).filter((place) => place >= 0)
  const colors = colorsOf(data, options.colorField)
  return data.rows.flatMap((row, i) => {
    const longitude = degrees(row.values[east], 180)
    const latitude = degrees(row.values[north], 90)
    if (longitude === null || latitude === null) return []
    const [name = '', ...notes] = (shown.length > 0 ? shown : [0]).map((place) => row.texts[place] ?? '')
    return { id: row.id, to: row.to, name: name || '–', notes, longitude, latitude, color: colors[i] ?? null }
  })
}

interface PlanProps {
  points: Point[]
  options: Options
  label: string
  note: string
}

function Plan({ points, options, label, note }: PlanProps) {
  const t = useText()
  const { bounds, picUrlSrc } = options
  const [ref, width] = useWidth<HTMLDivElement>()
  const [height, setHeight] = useState(0)
  const [moved, setMoved] = useState<View | null>(null)
  const drag = useRef<{ x: number; y: number; view: View } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: its height may change with its width
  useLayoutEffect(() => setHeight(ref.current?.clientHeight ?? 0), [width])
  const whole = useMemo(
    () => viewOf(bounds ?? boundsOf(points), width || 400, height || 240),
    [bounds, points, width, height],
  )
  const view = moved ?? whole
  const zoom = (by: number) => {
    const scale = Math.min(Math.max(view.scale * by, whole.scale / 2), whole.scale * 200)
    setMoved({ ...view, scale })
  }
  const place = (spot: Spot) => pixelOf(spot, view, width || 400, height || 240)
  const plan = bounds && {
    from: place({ longitude: bounds.west, latitude: bounds.north }),
    to: place({ longitude: bounds.east, latitude: bounds.south }),
  }
  const bar = scaleBar(view, width || 400)
  const legend = [...new Map(points.flatMap(({ color }) => (color ? [[color.text, color.color] as const] : [])))]
  const onMove = (event: PointerEvent) => {
    const { current } = drag
    if (!current) return
    const degree = current.view.scale
    const shrink = Math.max(0.05, Math.cos((current.view.latitude * Math.PI) / 180))
    setMoved({
      scale: degree,
      longitude: current.view.longitude - (event.clientX - current.x) / (degree * shrink),
      latitude: current.view.latitude + (event.clientY - current.y) / degree,
    })
  }
  return (
    <div className={styles.map}>
      <div className={styles.field} ref={ref}>
        <div
          className={styles.ground}
          data-plan={picUrlSrc ? true : undefined}
          onPointerDown={(event) => {
            if (event.button !== 0 || event.pointerType === 'touch') return
            event.currentTarget.setPointerCapture(event.pointerId)
            drag.current = { x: event.clientX, y: event.clientY, view }
          }}
          onPointerMove={onMove}
          onPointerUp={() => {
            drag.current = null
          }}
        >
          {picUrlSrc && plan && (
            <img
              src={picUrlSrc}
              alt=""
              draggable={false}
              style={{
                left: plan.from.x,
                top: plan.from.y,
                width: plan.to.x - plan.from.x,
                height: plan.to.y - plan.from.y,
              }}
            />
          )}
        </div>
        <ul className={styles.points} aria-label={label}>
          {points.map((point) => {
            const { x, y } = place(point)
            if (width > 0 && (x < -20 || y < -20 || x > width + 20 || y > height + 20)) return null
            const said = [point.name, ...point.notes, point.color?.text].filter(Boolean).join(' · ')
            return (
              <li key={point.id} style={{ left: x, top: y }} data-flip={(width > 0 && x > width * 0.7) || undefined}>
                <PortalLink to={point.to} className={styles.point} title={said} label={said} record>
                  <i style={point.color ? { background: point.color.color } : {}} />
                  {points.length <= NAMED && (width === 0 || width >= WORDS) && <span>{point.name}</span>}
                </PortalLink>
              </li>
            )
          })}
        </ul>
        <div className={styles.tools}>
          <button type="button" aria-label={t('portal.zoomIn')} title={t('portal.zoomIn')} onClick={() => zoom(ZOOM)}>
            <Icon name="plus" size={14} />
          </button>
          <button
            type="button"
            aria-label={t('portal.zoomOut')}
            title={t('portal.zoomOut')}
            onClick={() => zoom(1 / ZOOM)}
          >
            <Icon name="minus" size={14} />
          </button>
          <button
            type="button"
            aria-label={t('portal.fit')}
            title={t('portal.fit')}
            disabled={!moved}
            onClick={() => setMoved(null)}
          >
            <Icon name="expand" size={14} />
          </button>
        </div>
        <span className={styles.scale} style={{ width: bar.pixels }}>
          {bar.metres >= 1000 ? `${bar.metres / 1000} km` : `${bar.metres} m`}
        </span>
      </div>
      {(legend.length > 0 || note) && (
        <div className={styles.foot}>
          {legend.map(([text, color]) => (
            <span key={text}>
              <i style={{ background: color }} />
              {text}
            </span>
          ))}
          {note && <span>{note}</span>}
        </div>
      )}
    </div>
  )
}
