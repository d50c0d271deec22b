import { Button, ConfigProvider, Segmented, Tabs } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { Icon } from '@/components/icon'
import { useIsNarrow, useMedia } from '@/lib/use-media'
import { useText } from '@/sdk/use-text'
import frame from '../design.module.css'
import { Designer } from '../shared/designer'
import type { Path } from '../shared/json'
import type { Beginning } from '../shared/open-document'
import { useDesigner } from '../shared/use-designer'
import { useKeys } from '../shared/use-keys'
import { checkDrawn, draftRows, type PortalDesign, pageOf, type WidgetType } from './api'
import { Canvas } from './canvas'
import { useChangeWords } from './changes'
import { DesigningProvider } from './context'
import type { DraftRows, Drawing } from './drawing'
import { boxesOf, COLUMNS, droppedAt, GAP, ROW } from './grid'
import { Outline } from './outline'
import { isPage, type Page } from './page'
import { PagePanel } from './page-panel'
import { Palette } from './palette'
import styles from './portal.module.css'
import { useProblemWords } from './problem-words'
import { type PortalProblem, problemsOf } from './problems'
import { NAMES, settingsOf, WIDTHS, type Width } from './sheet'
import { useActs } from './use-acts'
import { useDrawn } from './use-drawn'
import { usePortalKeys } from './use-portal-keys'
import { useSize } from './use-size'
import { WidgetPanel } from './widget-panel'
import { usePortalWords } from './words'

interface Props {
  design: PortalDesign
  beginning: Beginning<Page>
  drawing: Drawing
  /** There is room to edit. */
  editable: boolean
}

export const addressOf = (code: string, appCode: string | null) =>
  `/portal-design/${encodeURIComponent(code)}${appCode ? `?appCode=${encodeURIComponent(appCode)}` : ''}`

export function Editor({ design, beginning, drawing, editable }: Props) {
  const t = useText()
  const narrow = useIsNarrow()
  const wide = useMedia('(min-width: 1280px)')
  const { portalCode, appCode } = design
  const { appLabel } = beginning.opened
  const types = useMemo(() => new Map(design.types.map((one): [string, WidgetType] => [one.type, one])), [design.types])
  const words = usePortalWords(types)
  const doc = useDesigner({
    ...beginning,
    draws: isPage,
    check: checkDrawn,
    editable,
    address: addressOf(portalCode, null),
  })
  const { now, change, history, check, checked, checking, readOnly } = doc

  const boxes = useMemo(() => boxesOf(now, types), [now, types])
  const acts = useActs({ now, set: change, boxes, types, words, portalCode, root: design.schema, readOnly })
  const { chosen, widget } = acts
  const { page: drawnPage, drawn } = useDrawn(check, checked, now)
  const found = useMemo(() => problemsOf(check?.diagnostics ?? [], checked ?? now, now), [check, checked, now])
  const inWords = useProblemWords(words, design.schema)
  const problems = found.map((one) => inWords(one, now))
  const [view, setView] = useState<'design' | 'source'>('design')
  const [width, setWidth] = useState<Width>(1440)
  const [side, setSide] = useState<'widgets' | 'outline'>('widgets')
  const [adding, setAdding] = useState(false)
  const [panel, setPanel] = useState(false)
  const changeWords = useChangeWords(words)
  const canvas = useSize()
  const settings = settingsOf(now, width)
  const scale = canvas.width > 0 ? Math.min(1, (canvas.width - 32) / settings.width) : 1
  const name = words.text(now, 'name') || portalCode
  const open = () => {
    setPanel(true)
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('[data-panel] input, [data-panel] textarea')?.focus(),
    )
  }
  useKeys({
    undo: history.undo,
    redo: history.redo,
    close: () => {
      setPanel(false)
      setAdding(false)
    },
    panel: narrow && (panel || adding),
  })
  usePortalKeys({
    active: view === 'design' && width === 1440,
    readOnly,
    hasChosen: widget !== undefined,
    onStep: acts.step,
    onGrow: acts.grow,
    onRemove: acts.remove,
    onCopy: acts.copy,
    onCut: acts.cut,
    onPaste: acts.paste,
    onDuplicate: acts.duplicate,
    onLeave: () => acts.choose(null),
  })
  const rows: DraftRows = (widget, request, signal) =>
    draftRows({ ...request, ...pageOf(portalCode, appCode), widget, new: doc.body.new, text: doc.body.text }, signal)
  const latestRows = useRef(rows)
  latestRows.current = rows
  const readRows = useMemo((): DraftRows => (of, request, signal) => latestRows.current(of, request, signal), [])
  const leadTo = (one: PortalProblem) => {
    setView('design')
    setWidth(1440)
    acts.choose(one.way)
    setPanel(true)
    acts.scrollTo(one.way)
  }
  const drop = (type: WidgetType, x: number, y: number) => {
    const sheet = document.elementsFromPoint(x, y).find((one) => one.matches('[data-sheet]'))
    const grid = sheet?.querySelector('.react-grid-layout')?.getBoundingClientRect()
    if (!sheet || !grid) return
    const column = (settings.width - 2 * settings.padding + GAP) / COLUMNS
    const at = { x: (x - grid.left) / scale / column, y: (y - grid.top) / scale / ROW }
    acts.add(type, droppedAt(boxes, at, type.width))
  }
  const wayOf = chosen ?? []
  const into = widget?.widgets ? (types.get(widget.type) ?? null) : null
  const set = (path: Path, value: unknown) => acts.setChosen(path, value)
  const left = (
    <Tabs
      size="small"
      className={styles.tabs ?? ''}
      activeKey={side}
      onChange={(key) => setSide(key as typeof side)}
      items={[
        {
          key: 'widgets',
          label: t('portalDesign.widgets'),
          disabled: readOnly,
          children: (
            <Palette
              types={design.types}
              words={words}
              into={into}
              onAdd={(type) => {
                acts.add(type, null)
                setAdding(false)
              }}
              onDrop={drop}
            />
          ),
        },
        {
          key: 'outline',
          label: t('portalDesign.outline'),
          children: (
            <Outline
              page={now}
              words={words}
              chosen={chosen}
              problems={problems}
              readOnly={readOnly}
              onChoose={(way) => {
                acts.choose(way)
                acts.scrollTo(way)
              }}
              onMove={acts.reorder}
              onRemove={acts.removeAt}
            />
          ),
        },
      ]}
    />
  )
  return (
    <DesigningProvider value={useMemo(() => ({ design, page: now, root: design.schema }), [design, now])}>
      <Designer
        doc={doc}
        draws={isPage}
        refusal={t('portalDesign.notAPage')}
        name={name}
        place={[appLabel ? words.label(appLabel) : undefined]}
        views={[{ value: 'design' as const, label: t('paper.design') }]}
        view={view}
        onView={setView}
        problems={problems}
        onGo={leadTo}
        changes={changeWords}
        note={t(now.published === 0 ? 'portalDesign.publishHidden' : 'portalDesign.publishNote')}
        onLoaded={() => acts.choose(null)}
        addressOf={(code) => addressOf(code, appCode)}
        actions={
          <Button
            type="text"
            aria-label={t('portalDesign.preview')}
            title={t('portalDesign.preview')}
            icon={<Icon name="eye" />}
            href={`/portal-design-preview/${encodeURIComponent(portalCode)}`}
            target="_blank"
            rel="noopener"
          />
        }
      >
        <div className={styles.bar}>
          {narrow && editable && (
            <Button size="small" icon={<Icon name="plus" size={14} />} onClick={() => setAdding(true)}>
              {t('portalDesign.add')}
            </Button>
          )}
          {editable && (
            <Segmented<Width>
              size="small"
              aria-label={t('portalDesign.width')}
              value={width}
              onChange={setWidth}
              options={WIDTHS.map((value) => ({ value, label: t(`portalDesign.widths.${NAMES[value]}`) }))}
            />
          )}
          {width !== 1440 && <span className={styles.note}>{t('portalDesign.onlySeen')}</span>}
          <span className={styles.space} />
          {editable && (
            <Button
              size="small"
              onClick={() => {
                acts.choose(null)
                setPanel(true)
              }}
            >
              {t('paper.settings')}
            </Button>
          )}
          {narrow && widget && (
            <Button size="small" onClick={open}>
              {t('design.properties')}
            </Button>
          )}
        </div>
        {!editable && <p className={styles.phoneNote}>{t('portalDesign.onPhone')}</p>}
        <div className={styles.body}>
          {editable && (!narrow || adding) && (
            <aside className={narrow ? styles.drawer : styles.left} aria-label={t('portalDesign.widgets')}>
              {narrow && (
                <Button
                  type="text"
                  className={styles.closeDrawer ?? ''}
                  aria-label={t('design.close')}
                  icon={<Icon name="close" />}
                  onClick={() => setAdding(false)}
                />
              )}
              {left}
            </aside>
          )}
          <section className={styles.view} ref={canvas.ref} aria-label={name}>
            {width === 1440 && editable ? (
              <drawing.Around page={drawnPage} rows={readRows}>
                <Canvas
                  page={now}
                  boxes={boxes}
                  drawn={drawn}
                  draw={(one) => <drawing.Widget widget={one} />}
                  words={words}
                  problems={problems}
                  chosen={widget ? chosen : null}
                  width={settings.width}
                  scale={scale}
                  look={settings.look}
                  padding={settings.padding}
                  readOnly={readOnly}
                  onChoose={acts.choose}
                  onOpen={(way) => {
                    acts.choose(way)
                    open()
                  }}
                  onBoxes={acts.setBoxes}
                  focus={acts.focus}
                />
              </drawing.Around>
            ) : (
              <div className={styles.seen} style={{ width: editable ? width : '100%' }}>
                {drawnPage ? (
                  <drawing.View page={drawnPage} rows={readRows} />
                ) : (
                  <p className={styles.note}>{t('design.checking')}</p>
                )}
              </div>
            )}
          </section>
          {editable && (!narrow || panel) && (
            <aside
              className={narrow ? frame.panel : wide ? styles.right : styles.rightSmall}
              aria-label={t('design.properties')}
              data-panel
            >
              <div className={frame.panelHead}>
                <h2>{widget ? words.widget(widget) : t('paper.settings')}</h2>
                {narrow && (
                  <Button
                    type="text"
                    aria-label={t('design.close')}
                    icon={<Icon name="close" />}
                    onClick={() => setPanel(false)}
                  />
                )}
              </div>
              <ConfigProvider componentDisabled={readOnly}>
                <div className={frame.panelBody} key={widget ? wayOf.join('.') : 'page'}>
                  {widget ? (
                    <WidgetPanel
                      page={now}
                      widget={widget}
                      way={wayOf}
                      box={boxes[wayOf[0] ?? -1]}
                      types={types}
                      words={words}
                      problems={problems}
                      set={set}
                      onBox={acts.setBox}
                      onMoveInto={acts.moveInto}
                      onRemove={acts.remove}
                      onDuplicate={acts.duplicate}
                    />
                  ) : (
                    <PagePanel
                      page={now}
                      problems={problems}
                      script={drawnPage?.script ?? null}
                      checking={checking}
                      readOnly={readOnly}
                      set={acts.setPage}
                    />
                  )}
                </div>
              </ConfigProvider>
            </aside>
          )}
        </div>
      </Designer>
    </DesigningProvider>
  )
}
