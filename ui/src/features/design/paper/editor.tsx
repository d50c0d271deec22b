import { useQuery } from '@tanstack/react-query'
import { Button, ConfigProvider } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { Icon } from '@/components/icon'
import { useIsNarrow, useIsPhone, useMedia } from '@/lib/use-media'
import { PIXELS, type Zoom } from '@/sdk/paper/zoom'
import { useText } from '@/sdk/use-text'
import frame from '../design.module.css'
import { Designer } from '../shared/designer'
import type { Beginning } from '../shared/open-document'
import { useDesigner } from '../shared/use-designer'
import { useKeys } from '../shared/use-keys'
import { checkPrint, type PrintCheck, type PrintDesign, printModelQuery } from './api'
import { Bar } from './bar'
import { BESIDE, Canvas } from './canvas'
import { useChangeWords } from './changes'
import { addPage, copyPage, grow, move, movePage, removePage } from './edit'
import { PageTools } from './page-tools'
import { Palette } from './palette'
import styles from './paper.module.css'
import { Preview } from './preview'
import { type PaperProblem, problemsOf } from './problems'
import { Properties } from './properties'
import { isTemplate, setupOf, type Template } from './template'
import { useActs } from './use-acts'
import { NONE, nodeOf, on, useChoice } from './use-choice'
import { usePaperKeys } from './use-paper-keys'
import { useWidth } from './use-width'
import { usePaperWords } from './words'

interface Props {
  design: PrintDesign
  beginning: Beginning<Template>
}

export const addressOf = (appCode: string, code: string) =>
  `/print-design/${encodeURIComponent(appCode)}/${encodeURIComponent(code)}`

type View = 'paper' | 'preview' | 'source'

/** There is room for the paper and its preview beside each other. */
const WIDE = '(min-width: 1280px)'

export function Editor({ design, beginning }: Props) {
  const t = useText()
  const wide = useMedia(WIDE)
  const narrow = useIsNarrow()
  const phone = useIsPhone()
  const [record, setRecord] = useState<string | null>(null)
  const doc = useDesigner({
    ...beginning,
    draws: isTemplate,
    check: (draft) => checkPrint(draft, record),
    checkOf: record,
    address: addressOf(design.appCode, design.printCode),
  })
  const { now, change: set, history, check, checked, checking } = doc
  const [live, setLive] = useState<Template | null>(null)
  const template = live ?? now
  const choice = useChoice(template, now)
  const { chosen } = choice
  const [view, setView] = useState<View>('paper')
  const [beside, setBeside] = useState(true)
  const [adding, setAdding] = useState(false)
  const [zoom, setZoom] = useState<Zoom>('fit')
  const { data: model } = useQuery(printModelQuery(design.appCode, template.schemaCode))
  const words = usePaperWords(model)
  const changeWords = useChangeWords(words)
  const setup = useMemo(() => setupOf(template), [template])
  const canvas = useWidth()
  const scale = zoom === 'fit' ? Math.max(0.5, (canvas.width - BESIDE) / setup.width) : (zoom / 100) * PIXELS
  const acts = useActs({ now, set, choice, model, setup, scale, words, readOnly: doc.readOnly })
  const problems = useMemo(() => problemsOf(check?.diagnostics ?? [], checked ?? now, now), [check, checked, now])
  const faulty = problems.some((one) => one.severity === 'error')
  const print = useLastPages(check)
  const name = words.text(template, 'name') || design.printCode
  useKeys({
    undo: history.undo,
    redo: history.redo,
    close: choice.close,
    panel: choice.panel && (narrow || choice.settings !== null),
  })
  usePaperKeys({
    chosen,
    count: template.pages[chosen.page]?.elements.length ?? 0,
    onChoose: choice.choose,
    onMove: (to, dx, dy) => acts.keep(move(now, to, dx, dy), `move ${to.page} ${on(to)}`),
    onGrow: (to, wider, higher) => acts.keep(grow(now, to, wider, higher), `grow ${to.page} ${on(to)}`),
    onRemove: acts.remove,
    onDuplicate: acts.duplicate,
    onCopy: acts.copy,
    onCut: acts.cut,
    onPaste: acts.paste,
    onOpen: choice.open,
    active: view === 'paper',
  })

  const leadTo = (one: PaperProblem) => {
    setView('paper')
    if (one.page === null || one.element === null) return choice.openSettings(one.page ?? 0)
    choice.open({ page: one.page, at: [one.element] })
    nodeOf(one.page, one.element)?.scrollIntoView({ block: 'center', inline: 'nearest' })
  }

  // What does not change while something is dragged is not drawn again.
  const latest = useRef(acts)
  latest.current = acts
  const preview = useMemo(
    () => (
      <Preview
        schemaCode={now.schemaCode}
        record={record}
        onRecord={setRecord}
        print={print}
        refused={check?.refused ?? ''}
        faulty={faulty}
        busy={checking}
        noAddress={check?.noAddress ?? false}
      />
    ),
    [now.schemaCode, record, print, check, faulty, checking],
  )
  const palette = useMemo(
    () => (
      <Palette
        model={model}
        words={words}
        onAdd={(piece) => {
          latest.current.add(piece)
          setAdding(false)
        }}
        onDrop={(piece, page, x, y) => latest.current.addAt(piece, page, x, y)}
      />
    ),
    [model, words],
  )
  const views: { value: 'paper' | 'preview'; label: string }[] = [
    { value: 'paper', label: t('paper.design') },
    ...(wide ? [] : [{ value: 'preview' as const, label: t('paper.preview') }]),
  ]
  const shownView = wide && view === 'preview' ? 'paper' : view
  return (
    <Designer
      doc={doc}
      draws={isTemplate}
      refusal={t('paper.notATemplate')}
      name={name}
      place={[words.label(design.appLabel), model && words.label(model.label)]}
      views={views}
      view={shownView}
      onView={setView}
      problems={problems}
      onGo={leadTo}
      changes={changeWords}
      note={t('paper.publishNote')}
      onLoaded={() => choice.pick(NONE)}
      addressOf={(code) => addressOf(design.appCode, code)}
    >
      {shownView === 'preview' && <div className={styles.body}>{preview}</div>}
      {shownView === 'paper' && (
        <>
          <Bar
            now={now}
            setup={setup}
            choice={choice}
            acts={acts}
            zoom={zoom}
            percent={Math.round((scale / PIXELS) * 100)}
            onZoom={setZoom}
            narrow={narrow}
            phone={phone}
            onAdd={() => setAdding(true)}
            beside={wide ? beside : null}
            onBeside={setBeside}
          />
          {phone && <p className={styles.phoneNote}>{t('paper.onPhone')}</p>}
          <div className={styles.body}>
            {(!narrow || adding) && (
              <aside className={narrow ? styles.drawer : styles.left} aria-label={t('paper.pieces')}>
                {narrow && (
                  <div className={frame.panelHead}>
                    <h2>{t('paper.add')}</h2>
                    <Button
                      type="text"
                      aria-label={t('design.close')}
                      icon={<Icon name="close" />}
                      onClick={() => setAdding(false)}
                    />
                  </div>
                )}
                <div inert={doc.readOnly}>{palette}</div>
              </aside>
            )}
            <Canvas
              template={template}
              setup={setup}
              chosen={chosen}
              scale={scale}
              words={words}
              images={print?.images ?? {}}
              problems={problems}
              view={canvas.ref}
              width={canvas.width}
              onChoose={choice.choose}
              onLive={setLive}
              onChange={set}
              onOpen={(page, at) => choice.open({ page, at: [at] })}
              onBand={(band) => choice.openSettings(chosen.page, band)}
              pageTools={(at) => (
                <PageTools
                  at={at}
                  count={template.pages.length}
                  onCopy={() => acts.keep(copyPage(now, at))}
                  onMove={(by) => acts.keep(movePage(now, at, by))}
                  onRemove={() => {
                    acts.keep(removePage(now, at))
                    choice.pick(NONE)
                  }}
                />
              )}
            >
              <div className={styles.morePages}>
                <Button
                  size="small"
                  disabled={doc.readOnly}
                  icon={<Icon name="plus" size={14} />}
                  onClick={() => {
                    set(addPage(now, template.pages.length - 1))
                    choice.pick({ page: template.pages.length, at: [] })
                  }}
                >
                  {t('paper.addPage')}
                </Button>
              </div>
            </Canvas>
            {wide && beside && preview}
            {(!narrow || choice.panel) && (
              <ConfigProvider componentDisabled={doc.readOnly}>
                <Properties
                  now={now}
                  choice={choice}
                  model={model}
                  design={design}
                  words={words}
                  problems={problems}
                  keep={acts.keep}
                  over={narrow}
                />
              </ConfigProvider>
            )}
          </div>
        </>
      )}
    </Designer>
  )
}

/** The pages of the last answer that had some; they stay while there are no others. */
function useLastPages(check: PrintCheck | null) {
  const last = useRef<PrintCheck['print']>(null)
  if (check?.print) last.current = check.print
  return last.current
}
