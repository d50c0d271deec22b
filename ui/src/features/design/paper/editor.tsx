import { useQuery } from '@tanstack/react-query'
import { Button, Dropdown, Segmented } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { Icon } from '@/components/icon'
import { usePageTitle } from '@/lib/page-title'
import { useIsNarrow, useIsPhone, useMedia } from '@/lib/use-media'
import { useFeedback } from '@/sdk/feedback'
import { useMe } from '@/sdk/me'
import { PIXELS, type Zoom } from '@/sdk/paper/zoom'
import { useText } from '@/sdk/use-text'
import frame from '../design.module.css'
import { Banners } from '../shared/banners'
import { FieldsOf } from '../shared/fields'
import { useHistory } from '../shared/history'
import { numberOf, type Path, setAt, writeJson } from '../shared/json'
import { ProblemsButton } from '../shared/problems-button'
import { PublishDialog } from '../shared/publish-dialog'
import { Source } from '../shared/source'
import { useChecks } from '../shared/use-checks'
import { useKept } from '../shared/use-kept'
import { useKeys } from '../shared/use-keys'
import { useLeave } from '../shared/use-leave'
import { useOwnAddress } from '../shared/use-own-address'
import { checkPrint, type PrintCheck, type PrintDesign, printModelQuery, publishPrint } from './api'
import { BESIDE, Canvas } from './canvas'
import { useChangeWords } from './changes'
import {
  add,
  addPage,
  align,
  type Changed,
  type Chosen,
  copyPage,
  distribute,
  duplicate,
  elementsOf,
  freePlace,
  grow,
  inOrder,
  move,
  movePage,
  paste,
  place,
  remove,
  removePage,
  reorder,
  sameSize,
  setElements,
  setTemplate,
  still,
} from './edit'
import { ElementPanel } from './element-panel'
import { newElement, type Piece } from './elements'
import { HistoryDialog } from './history-dialog'
import { Palette } from './palette'
import styles from './paper.module.css'
import { Preview } from './preview'
import { type PaperProblem, problemsOf } from './problems'
import { SettingsPanel } from './settings-panel'
import { type Box, boxOf, type Element, isTemplate, setupOf, type Template } from './template'
import { Tools, Zooming } from './tools'
import { usePaperKeys } from './use-paper-keys'
import { useWidth } from './use-width'
import { usePaperWords } from './words'

interface Props {
  design: PrintDesign
  first: Template
  /** What is published; null: it is new. */
  before: Template | null
}

type View = 'paper' | 'preview' | 'source'

/** There is room for the paper and its preview beside each other. */
const WIDE = '(min-width: 1280px)'

const NONE: Chosen = { page: 0, at: [] }

/** What was copied last, also in another template of this tab. */
let clip: Element[] = []

const nodeOf = (page: number, at: number | undefined) =>
  document.querySelector<HTMLElement>(`[data-element="${page}/${at}"]`)
const focusOn = ({ page, at }: Chosen) => requestAnimationFrame(() => nodeOf(page, at[0])?.focus())

export function Editor({ design: opened, first, before: published }: Props) {
  const t = useText()
  const say = useFeedback()
  const { pathname } = useLocation()
  const me = useMe()
  const wide = useMedia(WIDE)
  const narrow = useIsNarrow()
  const phone = useIsPhone()
  const [design, setDesign] = useState(opened)
  const [before, setBefore] = useState(published)
  const history = useHistory(first)
  const [live, setLive] = useState<Template | null>(null)
  const template = live ?? history.now
  const [picked, setChosen] = useState<Chosen>(NONE)
  const chosen = useMemo(() => still(template, picked), [template, picked])
  const [view, setView] = useState<View>('paper')
  const [beside, setBeside] = useState(true)
  const [panel, setPanel] = useState(false)
  const [settings, setSettings] = useState<'header' | 'footer' | null>(null)
  const [adding, setAdding] = useState(false)
  const [zoom, setZoom] = useState<Zoom>('fit')
  const [record, setRecord] = useState<string | null>(null)
  const [dialog, setDialog] = useState<'publish' | 'history' | null>(null)
  const [busy, setBusy] = useState(false)
  const [clips, setClips] = useState(clip.length)
  const { data: model } = useQuery(printModelQuery(design.appCode, template.schemaCode))
  const words = usePaperWords(model)
  const changeWords = useChangeWords(words)
  const setup = useMemo(() => setupOf(template), [template])
  const canvas = useWidth()

  const text = useMemo(() => writeJson(history.now), [history.now])
  const publishedText = useMemo(() => (before === null ? null : writeJson(before)), [before])
  const changed = text !== publishedText
  const proof = useProof(design, history.now, text, before === null, record)
  const { check, checked } = proof
  const problems = useMemo(
    () => problemsOf(check?.diagnostics ?? [], checked ?? history.now, history.now),
    [check, checked, history.now],
  )
  const errors = problems.filter((one) => one.severity === 'error')
  const draft = useKept({
    user: me?.id,
    place: ['print-design', design.appCode, design.printCode],
    text,
    changed,
    fresh: before === null,
    draws: isTemplate,
  })
  useLeave(changed, pathname)
  useOwnAddress(
    `/print-design/${design.appCode}/${design.printCode}`,
    published === null && before !== null && !changed,
  )
  const name = words.text(template, 'name') || design.printCode
  usePageTitle(t('design.titleOf', { name }))

  const change = (next: Template, of: string | null = null) => history.set(next, of)
  const go = ({ template: next, chosen: to }: Changed, focus = false) => {
    if (next === history.now) return
    change(next)
    setChosen(to)
    if (focus) focusOn(to)
  }
  const keep = (next: Template, of: string | null = null) => {
    if (next !== history.now) change(next, of)
  }
  const choose = (to: Chosen) => {
    setSettings(null)
    setChosen(to)
  }
  const openPanel = (to: Chosen) => {
    choose(to)
    setPanel(true)
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('[data-panel] input, [data-panel] textarea')?.focus(),
    )
  }
  const closePanel = () => {
    setPanel(false)
    setSettings(null)
    if (chosen.at.length > 0) focusOn(chosen)
  }

  const scale = zoom === 'fit' ? Math.max(0.5, (canvas.width - BESIDE) / setup.width) : (zoom / 100) * PIXELS
  const percent = Math.round((scale / PIXELS) * 100)

  const put = (piece: Piece, to: { page: number; at: (element: Element) => Partial<Box> }) => {
    const made = model && newElement(piece, model, setup.inner, { text: t('paper.newText') })
    if (!made) return say.warning(t('paper.noColumns'))
    const next = add(history.now, to.page, [place(made, to.at(made))])
    go(next)
    say.success(t('paper.added', { name: words.element(made) }))
    const [at] = next.chosen.at
    requestAnimationFrame(() => nodeOf(to.page, at)?.scrollIntoView({ block: 'nearest', inline: 'nearest' }))
  }
  const addNext = (piece: Piece) => {
    put(piece, { page: chosen.page, at: (made) => freePlace(history.now, chosen.page, boxOf(made).width, setup.inner) })
    setAdding(false)
  }
  const drop = (piece: Piece, page: number, x: number, y: number) => {
    const at = (made: Element): Partial<Box> => {
      const box = boxOf(made)
      const left = Math.round(x / scale - box.width / 2)
      return {
        left: Math.max(0, box.width >= setup.inner - 1 ? 0 : Math.min(left, Math.floor(setup.inner - box.width))),
        top: Math.max(0, Math.round(y / scale - Math.min(box.height, 8) / 2)),
      }
    }
    put(piece, { page, at })
  }
  const copy = (of: Chosen) => {
    if (of.at.length === 0) return
    clip = structuredClone(inOrder(history.now, of))
    setClips(clip.length)
    say.success(t('paper.copied', { count: clip.length }))
  }
  const pasteClip = () => {
    if (clip.length > 0) go(paste(history.now, chosen.page, clip), true)
  }
  const removeSome = (of: Chosen) => {
    if (of.at.length === 0) return
    change(remove(history.now, of))
    const rest = (history.now.pages[of.page]?.elements.length ?? 0) - of.at.length
    const next = Math.min(Math.min(...of.at), rest - 1)
    setChosen({ page: of.page, at: [] })
    if (next >= 0) focusOn({ page: of.page, at: [next] })
  }
  const area = { width: setup.inner, height: setup.usable }
  useKeys({ undo: history.undo, redo: history.redo, close: closePanel, panel: panel && (narrow || settings !== null) })
  usePaperKeys({
    chosen,
    count: template.pages[chosen.page]?.elements.length ?? 0,
    onChoose: choose,
    onMove: (to, dx, dy) => keep(move(history.now, to, dx, dy), `move ${to.page} ${on(to)}`),
    onGrow: (to, wider, higher) => keep(grow(history.now, to, wider, higher), `grow ${to.page} ${on(to)}`),
    onRemove: removeSome,
    onDuplicate: (of) => of.at.length > 0 && go(duplicate(history.now, of), true),
    onCopy: copy,
    onCut: (of) => {
      copy(of)
      removeSome(of)
    },
    onPaste: pasteClip,
    onOpen: openPanel,
    active: view === 'paper' && dialog === null,
  })

  const publish = () => {
    setBusy(true)
    publishPrint({
      appCode: design.appCode,
      printCode: design.printCode,
      text,
      seen: design.seen,
      new: before === null,
    })
      .then((done) => {
        draft.forget()
        setDesign({ ...design, seen: done.seen, version: done.version })
        setBefore(history.now)
        setDialog(null)
        say.success(t('design.published'))
      })
      .catch((error: unknown) => {
        setDialog(null)
        const data = error instanceof ApiError ? (error.data as Partial<PrintCheck> | null) : null
        const by = data?.changedBy
        say.error(
          error instanceof ApiError && error.code === ERROR.PublishConflict && by
            ? t('design.conflict', { name: by })
            : error,
        )
      })
      .finally(() => setBusy(false))
  }

  const leadTo = (one: PaperProblem) => {
    setView('paper')
    if (one.page === null || one.element === null) {
      choose(one.page === null ? NONE : { page: one.page, at: [] })
      return setPanel(true)
    }
    openPanel({ page: one.page, at: [one.element] })
    nodeOf(one.page, one.element)?.scrollIntoView({ block: 'center', inline: 'nearest' })
  }

  const stale = proof.check !== null && proof.check.seen !== design.seen && before !== null
  const shownPanel = !narrow || panel
  const both = wide && beside
  const images = proof.print?.images ?? {}
  const views: { value: View; label: string }[] = [
    { value: 'paper', label: t('paper.design') },
    ...(wide ? [] : [{ value: 'preview' as const, label: t('paper.preview') }]),
    { value: 'source', label: t('design.source') },
  ]
  const shownView = wide && view === 'preview' ? 'paper' : view
  // What does not change while something is dragged is not drawn again.
  const acts = useRef({ addNext, drop, keep })
  acts.current = { addNext, drop, keep }
  const preview = useMemo(
    () => (
      <Preview
        schemaCode={history.now.schemaCode}
        record={record}
        onRecord={setRecord}
        print={proof.print}
        refused={check?.refused ?? ''}
        faulty={errors.length > 0}
        busy={proof.checking}
      />
    ),
    [history.now.schemaCode, record, proof.print, check, errors.length, proof.checking],
  )
  const palette = useMemo(
    () => (
      <Palette
        model={model}
        words={words}
        onAdd={(piece) => acts.current.addNext(piece)}
        onDrop={(piece, page, x, y) => acts.current.drop(piece, page, x, y)}
      />
    ),
    [model, words],
  )
  const elements = useMemo(
    () => (settings ? [] : elementsOf(history.now, still(history.now, picked))),
    [settings, history.now, picked],
  )
  const fields = useMemo(() => {
    const of = still(history.now, picked)
    return (
      <FieldsOf
        value={
          elements.length > 0
            ? {
                of: common(elements),
                problems: problems.filter(
                  (one) => one.page === of.page && one.element !== null && of.at.includes(one.element),
                ),
                set: (path, value) =>
                  acts.current.keep(setOf(history.now, of, path, value), `set ${of.page} ${on(of)} ${path.join('/')}`),
              }
            : {
                of: history.now,
                problems: problems.filter((one) => one.element === null),
                set: (path, value) => acts.current.keep(setTemplate(history.now, path, value), `set ${path.join('/')}`),
              }
        }
      >
        {elements.length > 0 ? (
          <ElementPanel elements={elements} model={model} design={design} words={words} />
        ) : (
          <SettingsPanel design={design} model={model} words={words} open={settings} />
        )}
      </FieldsOf>
    )
  }, [elements, problems, history.now, picked, model, design, words, settings])
  return (
    <div className={frame.page}>
      <header className={frame.top}>
        <div className={frame.title}>
          <h1 title={name}>{name}</h1>
          <p title={design.printCode}>
            {[words.label(design.appLabel), model && words.label(model.label), design.printCode]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        <div className={frame.group}>
          <Segmented<View> value={shownView} options={views} onChange={(next) => setView(next)} />
        </div>
        <div className={frame.group}>
          <Button
            type="text"
            disabled={!history.canUndo}
            aria-label={t('design.undo')}
            title={`${t('design.undo')} (Ctrl+Z)`}
            icon={<Icon name="reply" />}
            onClick={history.undo}
          />
          <Button
            type="text"
            disabled={!history.canRedo}
            aria-label={t('design.redo')}
            title={`${t('design.redo')} (Ctrl+Y)`}
            icon={<Icon name="reply" className={frame.mirrored ?? ''} />}
            onClick={history.redo}
          />
          {before !== null && (
            <Button
              type="text"
              aria-label={t('paper.history')}
              title={t('paper.history')}
              icon={<Icon name="history" />}
              onClick={() => setDialog('history')}
            />
          )}
          <ProblemsButton problems={problems} checking={proof.checking} onGo={leadTo} />
          <Button
            type="primary"
            disabled={!changed || errors.length > 0 || proof.checking}
            onClick={() => setDialog('publish')}
          >
            {t('design.publish')}
          </Button>
        </div>
      </header>
      <Banners
        found={draft.found !== null}
        other={draft.other !== null}
        changedBy={stale ? (proof.check?.changedBy ?? '') : null}
        onTake={() => {
          const taken = draft.other ?? draft.found
          if (taken) change(taken)
          draft.take()
        }}
        onDiscard={draft.forget}
        onKeep={draft.take}
      />
      {shownView === 'source' && (
        <div className={frame.body}>
          <Source
            document={history.now}
            draws={isTemplate}
            refusal={t('paper.notATemplate')}
            onChange={(next) => change(next, 'source')}
          />
        </div>
      )}
      {shownView === 'preview' && <div className={styles.body}>{preview}</div>}
      {shownView === 'paper' && (
        <>
          <div className={styles.bar}>
            {narrow && (
              <Button size="small" icon={<Icon name="plus" size={14} />} onClick={() => setAdding(true)}>
                {t('paper.add')}
              </Button>
            )}
            <Tools
              count={chosen.at.length}
              canPaste={clips > 0}
              compact={phone}
              onAlign={(how) => keep(align(history.now, chosen, how, area))}
              onDistribute={(axis) => keep(distribute(history.now, chosen, axis))}
              onSame={(key) => keep(sameSize(history.now, chosen, key))}
              onOrder={(how) => go(reorder(history.now, chosen, how))}
              onCopy={() => copy(chosen)}
              onPaste={pasteClip}
              onDuplicate={() => go(duplicate(history.now, chosen), true)}
              onRemove={() => removeSome(chosen)}
            />
            <span className={styles.space} />
            <Zooming zoom={zoom} percent={percent} onZoom={setZoom} />
            <Button
              size="small"
              onClick={() => {
                choose({ page: chosen.page, at: [] })
                setPanel(true)
              }}
            >
              {t('paper.settings')}
            </Button>
            {narrow && chosen.at.length > 0 && (
              <Button size="small" onClick={() => openPanel(chosen)}>
                {t('design.properties')}
              </Button>
            )}
            {wide && (
              <Button
                size="small"
                aria-pressed={beside}
                type={beside ? 'primary' : 'default'}
                ghost={beside}
                icon={<Icon name="eye" size={14} />}
                onClick={() => setBeside(!beside)}
              >
                {t('paper.preview')}
              </Button>
            )}
          </div>
          {phone && <p className={styles.phoneNote}>{t('paper.onPhone')}</p>}
          <div className={styles.body}>
            {!narrow && (
              <aside className={styles.left} aria-label={t('paper.pieces')}>
                {palette}
              </aside>
            )}
            {narrow && adding && (
              <aside className={styles.drawer} aria-label={t('paper.pieces')}>
                <div className={frame.panelHead}>
                  <h2>{t('paper.add')}</h2>
                  <Button
                    type="text"
                    aria-label={t('design.close')}
                    icon={<Icon name="close" />}
                    onClick={() => setAdding(false)}
                  />
                </div>
                {palette}
              </aside>
            )}
            <Canvas
              template={template}
              setup={setup}
              chosen={chosen}
              scale={scale}
              words={words}
              images={images}
              problems={problems}
              view={canvas.ref}
              width={canvas.width}
              onChoose={choose}
              onLive={setLive}
              onChange={change}
              onOpen={(page, at) => openPanel({ page, at: [at] })}
              onBand={(band) => {
                setChosen({ page: chosen.page, at: [] })
                setSettings(band)
                setPanel(true)
              }}
              pageTools={(at) => (
                <PageTools
                  at={at}
                  count={template.pages.length}
                  onCopy={() => keep(copyPage(history.now, at))}
                  onMove={(by) => keep(movePage(history.now, at, by))}
                  onRemove={() => {
                    keep(removePage(history.now, at))
                    setChosen(NONE)
                  }}
                />
              )}
            >
              <div className={styles.morePages}>
                <Button
                  size="small"
                  icon={<Icon name="plus" size={14} />}
                  onClick={() => {
                    change(addPage(history.now, template.pages.length - 1))
                    setChosen({ page: template.pages.length, at: [] })
                  }}
                >
                  {t('paper.addPage')}
                </Button>
              </div>
            </Canvas>
            {both && preview}
            {shownPanel && (
              <aside className={narrow ? frame.panel : styles.right} aria-label={t('design.properties')} data-panel>
                <div className={frame.panelHead}>
                  <h2>
                    {elements.length === 0
                      ? t('paper.settings')
                      : elements.length > 1
                        ? t('paper.several', { count: elements.length })
                        : elements[0] && words.element(elements[0])}
                  </h2>
                  {narrow && (
                    <Button
                      type="text"
                      aria-label={t('design.close')}
                      icon={<Icon name="close" />}
                      onClick={closePanel}
                    />
                  )}
                </div>
                <div
                  className={frame.panelBody}
                  key={elements.length > 0 ? `${chosen.page}/${on(chosen)}` : `settings ${settings}`}
                >
                  {fields}
                </div>
              </aside>
            )}
          </div>
        </>
      )}
      {dialog === 'publish' && (
        <PublishDialog
          name={name}
          changes={changeWords(before, history.now)}
          note={t('paper.publishNote')}
          problems={problems.filter((one) => one.severity !== 'error')}
          busy={busy}
          onPublish={publish}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'history' && (
        <HistoryDialog
          appCode={design.appCode}
          printCode={design.printCode}
          onTake={(taken, version) => {
            change(taken)
            setChosen(NONE)
            setDialog(null)
            say.success(version === 0 ? t('paper.takenDelivered') : t('paper.taken', { version }))
          }}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  )
}

const on = (of: Chosen) => of.at.join()

/** What several elements say alike; of one all that it says. */
function common(elements: Element[]): Record<string, unknown> {
  const [first, ...more] = elements
  if (!first || more.length === 0) return first ?? {}
  return Object.fromEntries(
    Object.entries(first).filter(([key, value]) =>
      more.every((one) => JSON.stringify(one[key]) === JSON.stringify(value)),
    ),
  )
}

const PLACES: Record<string, keyof Box> = { left: 'left', top: 'top', widthValue: 'width', heightValue: 'height' }

/** Sets a key of elements. Of several that differ below it, each keeps the rest of its own. */
function setOf(template: Template, chosen: Chosen, path: Path, value: unknown): Template {
  const key = path.length === 1 ? PLACES[String(path[0])] : undefined
  const length = numberOf(value)
  if (!key || length === undefined) return setElements(template, chosen, path, value)
  return chosen.at.reduce((of, at) => {
    const element = of.pages[chosen.page]?.elements[at]
    return element ? setAt(of, ['pages', chosen.page, 'elements', at], place(element, { [key]: length })) : of
  }, template)
}

/** What the compiler says of the template as it is now, and how the record looks with it. The last pages stay while there are no others. */
function useProof(design: PrintDesign, template: Template, text: string, fresh: boolean, record: string | null) {
  const { appCode, printCode, seen } = design
  const { answer, checking } = useChecks(template, JSON.stringify([text, seen, fresh, record]), () =>
    checkPrint({ appCode, printCode, text, seen, new: fresh, ...(record && { objectId: record }) }),
  )
  const last = useRef<PrintCheck['print']>(null)
  if (answer?.check.print) last.current = answer.check.print
  return { check: answer?.check ?? null, checked: answer?.document ?? null, checking, print: last.current }
}

function PageTools({
  at,
  count,
  onCopy,
  onMove,
  onRemove,
}: {
  at: number
  count: number
  onCopy: () => void
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}) {
  const t = useText()
  return (
    <>
      <span>{t('paper.page', { n: at + 1 })}</span>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            { key: 'copy', label: t('paper.copyPage') },
            { key: 'up', label: t('paper.pageUp'), disabled: at === 0 },
            { key: 'down', label: t('paper.pageDown'), disabled: at === count - 1 },
            { key: 'remove', label: t('paper.removePage'), disabled: count === 1, danger: true },
          ],
          onClick: ({ key }) => {
            if (key === 'copy') onCopy()
            else if (key === 'remove') onRemove()
            else onMove(key === 'up' ? -1 : 1)
          },
        }}
      >
        <Button
          type="text"
          size="small"
          icon={<Icon name="more" size={14} />}
          aria-label={t('paper.pageTools', { n: at + 1 })}
        />
      </Dropdown>
    </>
  )
}
