import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react'
import { Icon } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { useAppearance } from '@/lib/appearance'
import { type Box, COLUMNS, compacted, layoutOf } from '@/lib/grid-layout'
import { widgetUI } from '@/registry/registry'
import { useFeedback } from '@/sdk/feedback'
import {
  arrangePortal,
  GAP,
  optionText,
  PortalContext,
  type PortalPage,
  type PortalParts,
  type PortalWidget,
  ROW,
} from '@/sdk/portal'
import { useText } from '@/sdk/use-text'
import { pageLook } from '../look'
import pageStyles from '../portal.module.css'
import { useHandle } from '../view'
import { WidgetBox } from '../widget-box'
import styles from './arrange.module.css'
import { type Boxes, placed, resized, stepped } from './moves'

interface Props {
  page: PortalPage
  parts: PortalParts
  onClose: () => void
}

/** What a drag is about: where it began, and what the boxes were then. */
interface Drag {
  id: string
  resize: boolean
  x: number
  y: number
  boxes: Boxes
}

function start(widgets: PortalWidget[]): Boxes {
  const shown = widgets.filter(({ hidden }) => !hidden)
  const boxes = compacted(layoutOf(shown))
  return new Map(shown.map(({ id }, i) => [id, boxes[i] ?? { x: 0, y: 0, width: 6, height: 6 }]))
}

/** The page while the person moves, resizes and hides its widgets for themselves. */
export function Arrange({ page, parts, onClose }: Props) {
  const t = useText()
  const locale = useLocale()
  const client = useQueryClient()
  const say = useFeedback()
  const appearance = useAppearance((state) => state.appearance)
  const handle = useHandle(page, 'design', false, false)
  const [boxes, setBoxes] = useState(() => start(page.widgets))
  const [told, setTold] = useState('')
  const drag = useRef<Drag | null>(null)
  const grid = useRef<HTMLDivElement>(null)
  const nameOf = ({ options, type }: PortalWidget) =>
    optionText(options, 'title', locale) ||
    optionText(options, 'componentTitle', locale) ||
    (widgetUI(type)?.label[locale] ?? type)
  const words = (widget: PortalWidget, { x, y, width, height }: Box) => ({
    name: nameOf(widget),
    x: x + 1,
    y: y + 1,
    width,
    height,
  })
  const change = (widget: PortalWidget, next: Boxes) => {
    setBoxes(next)
    const box = next.get(widget.id)
    if (box) setTold(t('portal.moved', words(widget, box)))
  }
  const send = useMutation({
    mutationFn: (reset: boolean) =>
      arrangePortal(
        page.portalCode,
        reset
          ? []
          : page.widgets.map((widget) => {
              const { x, y, width, height } = boxes.get(widget.id) ?? widget
              return { id: widget.id, x, y, width, height, hidden: !boxes.has(widget.id) }
            }),
      ),
    onSuccess: async (_, reset) => {
      await client.invalidateQueries({ queryKey: ['portal', page.portalCode, 'runtime'] })
      say.success(t(reset ? 'portal.wasReset' : 'portal.saved'))
      onClose()
    },
    onError: say.error,
  })
  const askReset = () =>
    say.modal.confirm({
      title: t('portal.resetAsk'),
      content: t('portal.resetText'),
      okText: t('portal.reset'),
      cancelText: t('common.cancel'),
      onOk: () => send.mutate(true),
    })
  const onKey = (event: KeyboardEvent, widget: PortalWidget) => {
    const by = ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] } as const)[
      event.key as 'ArrowLeft'
    ]
    if (by) {
      event.preventDefault()
      change(widget, event.shiftKey ? resized(boxes, widget.id, ...by) : stepped(boxes, widget.id, ...by))
    } else if (event.key === 'Delete') hide(widget)
  }
  const hide = ({ id }: PortalWidget) => {
    const rest = [...boxes].filter(([one]) => one !== id)
    const tight = compacted(rest.map(([, box]) => box))
    setBoxes(new Map(rest.map(([one, box], i) => [one, tight[i] ?? box])))
  }
  const show = (widget: PortalWidget) => {
    const bottom = Math.max(0, ...[...boxes.values()].map(({ y, height }) => y + height))
    const { width, height } = widget
    setBoxes(new Map([...boxes, [widget.id, { x: 0, y: bottom, width, height }]]))
  }
  const onDown = (event: PointerEvent<HTMLElement>, id: string, resize: boolean) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { id, resize, x: event.clientX, y: event.clientY, boxes }
  }
  const onMove = (event: PointerEvent<HTMLElement>) => {
    const { current } = drag
    const box = current?.boxes.get(current.id)
    if (!current || !box || !grid.current) return
    const column = (grid.current.clientWidth + GAP) / COLUMNS
    const dx = Math.round((event.clientX - current.x) / column)
    const dy = Math.round((event.clientY - current.y) / ROW)
    setBoxes(
      current.resize
        ? resized(current.boxes, current.id, dx, dy)
        : placed(current.boxes, current.id, { ...box, x: box.x + dx, y: box.y + dy }),
    )
  }
  const onUp = () => {
    drag.current = null
  }
  const hidden = page.widgets.filter(({ id }) => !boxes.has(id))
  const { size, width, padding } = page.page
  const paper: CSSProperties = { padding, ...(size === 'fixed' ? { maxWidth: width } : {}) }
  return (
    <>
      <div className={styles.bar} role="toolbar" aria-label={t('portal.arranging')}>
        <strong>{t('portal.arranging')}</strong>
        <span>{t('portal.arrangeHelp')}</span>
        <div className={styles.buttons}>
          {page.arranged && (
            <Button onClick={askReset} disabled={send.isPending}>
              {t('portal.reset')}
            </Button>
          )}
          <Button onClick={onClose} disabled={send.isPending}>
            {t('common.cancel')}
          </Button>
          <Button type="primary" loading={send.isPending} onClick={() => send.mutate(false)}>
            {t('portal.save')}
          </Button>
        </div>
      </div>
      {hidden.length > 0 && (
        <div className={styles.hidden}>
          <span>{t('portal.hidden')}</span>
          {hidden.map((widget) => (
            <button
              key={widget.id}
              type="button"
              aria-label={t('portal.show', { name: nameOf(widget) })}
              onClick={() => show(widget)}
            >
              <Icon name="plus" size={14} />
              {nameOf(widget)}
            </button>
          ))}
        </div>
      )}
      <output className="visually-hidden">{told}</output>
      <PortalContext value={useMemo(() => ({ handle, parts }), [handle, parts])}>
        <div className={pageStyles.sheet} style={pageLook(page.page, appearance)}>
          <div className={pageStyles.paper} style={paper}>
            <div ref={grid} className={pageStyles.grid} data-columns={12}>
              {page.widgets.map((widget) => {
                const box = boxes.get(widget.id)
                if (!box) return null
                return (
                  <div
                    key={widget.id}
                    className={`${pageStyles.cell} ${styles.cell}`}
                    style={{
                      gridColumn: `${box.x + 1} / span ${box.width}`,
                      gridRow: `${box.y + 1} / span ${box.height}`,
                    }}
                  >
                    <WidgetBox widget={widget} loading={false} />
                    <button
                      type="button"
                      className={styles.move}
                      aria-label={t('portal.moveOf', words(widget, box))}
                      onKeyDown={(event) => onKey(event, widget)}
                      onPointerDown={(event) => onDown(event, widget.id, false)}
                      onPointerMove={onMove}
                      onPointerUp={onUp}
                      onPointerCancel={onUp}
                    />
                    <button
                      type="button"
                      className={styles.hide}
                      aria-label={t('portal.hide', { name: nameOf(widget) })}
                      title={t('portal.hide', { name: nameOf(widget) })}
                      onClick={() => hide(widget)}
                    >
                      <Icon name="close" size={14} />
                    </button>
                    <button
                      type="button"
                      tabIndex={-1}
                      className={styles.resize}
                      aria-label={t('portal.resize', { name: nameOf(widget) })}
                      onPointerDown={(event) => onDown(event, widget.id, true)}
                      onPointerMove={onMove}
                      onPointerUp={onUp}
                      onPointerCancel={onUp}
                    />
                  </div>
                )
              })}
            </div>
          </div>
        </div>
      </PortalContext>
    </>
  )
}
