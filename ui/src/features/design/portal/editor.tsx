import { Button, ConfigProvider, Segmented, Tabs } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { Icon } from '@/components/icon'
import { usePageTitle } from '@/lib/page-title'
import { useIsNarrow, useMedia } from '@/lib/use-media'
import { useFeedback } from '@/sdk/feedback'
import { UsesButton } from '@/sdk/names/uses-dialog'
import { useText } from '@/sdk/use-text'
import frame from '../design.module.css'
import { Banners } from '../shared/banners'
import type { Path } from '../shared/json'
import { PublishDialog } from '../shared/publish-dialog'
import { Source } from '../shared/source'
import { Top } from '../shared/top'
import { useDocument } from '../shared/use-document'
import { useKeys } from '../shared/use-keys'
import { checkDrawn, draftRows, lostTo, nameOf, type PortalDesign, publishPortal, type WidgetType } from './api'
import { Canvas } from './canvas'
import { useChangeWords } from './changes'
import { DesigningProvider } from './context'
import type { DraftRows, Drawing } from './drawing'
import { boxesOf, COLUMNS, droppedAt, GAP, ROW } from './grid'
import { HistoryDialog } from './history-dialog'
import { KeptState } from './kept-state'
import { LockBanner } from './lock-banner'
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
import { useOtherDraft } from './use-other-draft'
import { usePortalKeys } from './use-portal-keys'
import { useServerDraft } from './use-server-draft'
import { useSize } from './use-size'
import { WidgetPanel } from './widget-panel'
import { usePortalWords } from './words'

interface Props {
  design: PortalDesign
  /** What the designer begins with: the draft, or else what is published. */
  first: Page
  /** What is published; null: the page is new. */
  before: Page | null
  /** The text that the server has; null: none. */
  keptText: string | null
  drawing: Drawing
  /** There is room to edit. */
  editable: boolean
  /** Goes on with a copy of the page under another code. */
  onCopy: (page: Page) => void
}

export function Editor({ design: opened, first, before: published, keptText, drawing, editable, onCopy }: Props) {
  const t = useText()
  const say = useFeedback()
  const narrow = useIsNarrow()
  const wide = useMedia('(min-width: 1280px)')
  const { portalCode } = opened
  const types = useMemo(() => new Map(opened.types.map((one): [string, WidgetType] => [one.type, one])), [opened.types])
  const words = usePortalWords(types)
  const [kept, setKept] = useState(keptText)
  const of = useMemo(() => nameOf(portalCode, opened.appCode), [portalCode, opened.appCode])
  const lose = useRef<(by: string) => void>(() => {})
  const doc = useDocument({
    kind: 'portal-design',
    code: portalCode,
    opened,
    first,
    published,
    draws: isPage,
    address: `/portal-design/${encodeURIComponent(portalCode)}`,
    kept,
    check: (draft) => checkDrawn({ ...of, ...draft }),
    publish: (draft) =>
      publishPortal({ ...of, ...draft }).then(
        (done) => {
          setKept(draft.text)
          return done
        },
        (error: unknown) => {
          const by = lostTo(error)
          if (by !== null) lose.current(by)
          throw error
        },
      ),
  })
  const { design, before, history, check, checked, checking } = doc
  const { now } = history

  const others = useOtherDraft({ of, kept, unsent: doc.unsent, history, wanted: editable, onKept: setKept })
  const { lock, other } = others
  lose.current = lock.lose
  const asked = other !== null || doc.draft.found !== null || doc.draft.other !== null
  const readOnly = !editable || !lock.mine || other !== null
  const server = useServerDraft({
    body: { ...of, ...doc.body },
    published: doc.publishedText,
    kept,
    onKept: setKept,
    active: lock.mine && !asked,
    onLost: lock.lose,
  })

  const boxes = useMemo(() => boxesOf(now, types), [now, types])
  const acts = useActs({ now, set: history.set, boxes, types, words, portalCode, root: design.schema, readOnly })
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
  const [dialog, setDialog] = useState<'publish' | 'history' | null>(null)
  const changeWords = useChangeWords(words)
  const canvas = useSize()
  const settings = settingsOf(now, width)
  const scale = canvas.width > 0 ? Math.min(1, (canvas.width - 32) / settings.width) : 1
  const name = words.text(now, 'name') || portalCode
  usePageTitle(t('design.titleOf', { name }))
  const open = () => {
    setPanel(true)
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('[data-panel] input, [data-panel] textarea')?.focus(),
    )
  }
  useKeys({
    undo: () => !readOnly && history.undo(),
    redo: () => !readOnly && history.redo(),
    close: () => {
      setPanel(false)
      setAdding(false)
    },
    panel: narrow && (panel || adding),
  })
  usePortalKeys({
    active: view === 'design' && width === 1440 && dialog === null,
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
    draftRows({ ...request, ...of, widget, new: doc.body.new, text: doc.body.text }, signal)
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
      <div className={frame.page}>
        <Top
          name={name}
          place={[words.label(design.appLabel)]}
          code={portalCode}
          view={view}
          views={[
            { value: 'design' as const, label: t('paper.design') },
            { value: 'source' as const, label: t('design.source') },
          ]}
          onView={setView}
          history={{
            ...history,
            canUndo: history.canUndo && !readOnly,
            canRedo: history.canRedo && !readOnly,
          }}
          problems={problems}
          checking={checking}
          onGo={leadTo}
          canPublish={doc.changed && !readOnly}
          onPublish={() => setDialog('publish')}
        >
          <KeptState state={server.state} shown={doc.changed && lock.mine && !asked} onRetry={server.retry} />
          {before !== null && <UsesButton appCode={design.appCode} kind="portal" name={portalCode} title={name} />}
          {before !== null && (
            <Button
              type="text"
              aria-label={t('paper.history')}
              title={t('paper.history')}
              icon={<Icon name="history" />}
              onClick={() => setDialog('history')}
            />
          )}
          <Button
            type="text"
            aria-label={t('portalDesign.preview')}
            title={t('portalDesign.preview')}
            icon={<Icon name="eye" />}
            href={`/portal-design-preview/${encodeURIComponent(portalCode)}`}
            target="_blank"
            rel="noopener"
          />
        </Top>
        <LockBanner
          state={editable ? lock.state : { is: 'asking' }}
          changed={doc.unsent}
          onTakeOver={lock.takeOver}
          onRetry={lock.retry}
          onCopy={() => onCopy(now)}
        />
        {other && (
          <div className={frame.banner} role="alert">
            <span>{t('portalDesign.otherDraft', { name: other.by || t('portalDesign.somebody') })}</span>
            <Button
              size="small"
              type="primary"
              onClick={() => {
                history.set(other.page)
                others.answered()
              }}
            >
              {t('portalDesign.takeTheirs')}
            </Button>
            <Button size="small" onClick={others.answered}>
              {t('portalDesign.keepMine')}
            </Button>
          </div>
        )}
        <Banners draft={doc.draft} changedBy={doc.changedBy} others={[]} onTake={history.set} />
        {view === 'source' ? (
          <div className={frame.body}>
            <Source
              document={now}
              draws={isPage}
              refusal={t('portalDesign.notAPage')}
              onChange={(next) => !readOnly && history.set(next, 'source')}
            />
          </div>
        ) : (
          <>
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
          </>
        )}
        {dialog === 'publish' && (
          <PublishDialog
            name={name}
            changes={changeWords(before, now)}
            note={t(now.published === 0 ? 'portalDesign.publishHidden' : 'portalDesign.publishNote')}
            problems={problems.filter((one) => one.severity !== 'error')}
            ways={check?.ways ?? []}
            busy={doc.busy}
            onPublish={() => void doc.publish().finally(() => setDialog(null))}
            onClose={() => setDialog(null)}
          />
        )}
        {dialog === 'history' && (
          <HistoryDialog
            portalCode={portalCode}
            appCode={design.appCode}
            readOnly={readOnly}
            onTake={(taken, version) => {
              history.set(taken)
              acts.choose(null)
              setDialog(null)
              say.success(version === 0 ? t('paper.takenDelivered') : t('paper.taken', { version }))
            }}
            onClose={() => setDialog(null)}
          />
        )}
      </div>
    </DesigningProvider>
  )
}
