import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { Icon } from '@/components/icon'
import { Notice } from '@/components/notice'
import { useLocale } from '@/i18n/locale'
import { useHotkey } from '@/lib/hotkeys'
import { localName } from '@/lib/local-name'
import { usePageTitle, usePlaceTitle } from '@/lib/page-title'
import { useBack } from '@/lib/use-back'
import { useIsPhone } from '@/lib/use-media'
import { useSearch, withParams } from '@/lib/use-search'
import { useErrorText, useRequestNote } from '@/sdk/error-text'
import { useFeedback } from '@/sdk/feedback'
import { FileJob } from '@/sdk/file-job'
import { Drawing, type PrintPages } from '@/sdk/paper/marks'
import { useFont } from '@/sdk/paper/use-font'
import { handToProgram, isExternal, type PrintTemplates } from '@/sdk/print'
import { useSystemConfig } from '@/sdk/system'
import { useText } from '@/sdk/use-text'
import { type Asked, askedOf, pagesQuery, startFiles, templatesQuery } from './api'
import { PaperOut } from './paper-out'
import { Past } from './past'
import styles from './print.module.css'
import { Place, Toolbar, type ToolbarProps } from './toolbar'
import { useDownload } from './use-download'
import { usePrintOut } from './use-print-out'
import { useView, type View } from './use-view'

/** Records on paper, before they are printed (route /print). */
export function PrintPage() {
  const t = useText()
  const locale = useLocale()
  const system = useSystemConfig()
  const [search, setSearch] = useSearch()
  const asked = useMemo(() => askedOf(search), [search])
  const back = useLeave()
  usePlaceTitle(system && localName(system, locale))
  const complete = asked.schemaCode !== '' && asked.ids.length > 0
  const templates = useQuery({ ...templatesQuery(asked), enabled: complete && !asked.labels })
  const external = templates.data && isExternal(templates.data) ? templates.data : null
  const chosen = external ? null : (templates.data?.templates ?? []).find(({ code }) => code === asked.code)
  const choose = (code: string | null) => setSearch((now) => withParams(now, { code }), { replace: true })
  const shared = {
    title:
      (chosen ?? templates.data) ? localName(chosen ?? (templates.data as PrintTemplates), locale) : t('print.title'),
    templates: templates.data?.templates ?? [],
    code: asked.code ?? templates.data?.id ?? null,
    onTemplate: choose,
    onBack: back,
  }
  if (!complete)
    return (
      <Empty {...shared}>
        <Notice
          icon="print"
          title={t('print.nothing')}
          text={t('print.nothingText')}
          actions={<Button onClick={back}>{t('common.back')}</Button>}
        />
      </Empty>
    )
  if (external) return <External {...shared} asked={asked} template={external} />
  return <Preview key={asked.code} {...shared} asked={asked} onDefault={() => choose(null)} />
}

type Shared = Pick<ToolbarProps, 'title' | 'templates' | 'code' | 'onTemplate' | 'onBack'>

const noop = () => {}

/** Back to where one came from; an address that was opened as such leads home. */
function useLeave() {
  const navigate = useNavigate()
  const back = useBack(() => void navigate('/'))
  // What is open above the page goes first: it is still there when the key comes.
  const above = useRef(false)
  useEffect(() => {
    const onKey = () => {
      above.current = document.querySelector('.ant-select-open, .ant-dropdown-open') !== null
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [])
  useHotkey('Escape', () => {
    if (!above.current) back()
  })
  return back
}

/** The page where there is no paper. */
function Empty({ children, ...shared }: Shared & { children: ReactNode }) {
  usePageTitle(shared.title)
  return (
    <div className={styles.page}>
      <Toolbar {...shared} note={null} view={null} pages={0} downloading={false} onDownload={noop} onPrint={noop} />
      <div className={styles.body}>
        <div className={styles.notice}>{children}</div>
      </div>
    </div>
  )
}

/** A template that another program lays out. */
function External({ asked, template, ...shared }: Shared & { asked: Asked; template: PrintTemplates }) {
  const t = useText()
  const say = useFeedback()
  const hand = () =>
    handToProgram(template, asked).then(
      () => say.success(t('bulk.printHanded', { count: asked.ids.length })),
      say.error,
    )
  return (
    <Empty {...shared}>
      <Notice
        icon="external"
        title={t('print.external')}
        text={t('print.externalText', { name: shared.title })}
        actions={
          <Button type="primary" onClick={() => void hand()}>
            {t('print.hand')}
          </Button>
        }
      />
    </Empty>
  )
}

/** Asking again brings the same: the address or the rights are to blame. */
const final = (error: unknown) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429 && error.status !== 401

/** How many of the characters that cannot be drawn are named. */
const MOST_SHOWN = 20

const NO_PAGES: PrintPages['pages'] = []

function Preview({ asked, onDefault, ...shared }: Shared & { asked: Asked; onDefault: () => void }) {
  const t = useText()
  const query = useQuery(pagesQuery(asked))
  const print = query.data
  const family = useFont(print?.font)
  const view = useView(print?.pages ?? NO_PAGES)
  const download = useDownload(asked)
  const out = usePrintOut(asked, print)
  const [each, setEach] = useState(false)
  const title = print?.name ?? shared.title
  usePageTitle(title)
  const ready = print !== undefined && family !== null
  useHotkey('mod+p', () => ready && void out.run())
  useHotkey('mod+s', () => ready && void download.run('pdf'))
  useHotkey('PageUp', () => view.go(view.current - 1))
  useHotkey('PageDown', () => view.go(view.current + 1))
  if (query.error && !query.isFetching)
    return (
      <Empty {...shared}>
        <Failed error={query.error} onRetry={() => void query.refetch()} onDefault={onDefault} onBack={shared.onBack} />
      </Empty>
    )
  return (
    <div className={styles.page}>
      <Toolbar
        {...shared}
        title={title}
        note={print ? t('print.records', { count: print.objectIds.length }) : null}
        view={ready ? view : null}
        pages={print?.pages.length ?? 0}
        downloading={download.running}
        past={asked.ids.length === 1 ? <Past asked={asked} /> : null}
        onEach={ready && print.objectIds.length > 1 && !asked.labels ? () => setEach(true) : undefined}
        onDownload={(file) => void download.run(file)}
        onPrint={() => void out.run()}
      />
      {print && print.missing !== '' && (
        <p className={styles.skipped} role="status">
          <Icon name="alert" />
          {t('print.missing', { characters: [...print.missing].slice(0, MOST_SHOWN).join(' ') })}
        </p>
      )}
      {print && print.tooWide.length > 0 && (
        <p className={styles.skipped} role="status">
          <Icon name="alert" />
          {t('print.tooWide', { figures: print.tooWide.slice(0, MOST_SHOWN).join('; ') })}
        </p>
      )}
      {print && print.skipped > 0 && (
        <p className={styles.skipped} role="status">
          <Icon name="alert" />
          {t('print.skipped', { count: print.skipped, total: print.skipped + print.objectIds.length })}
        </p>
      )}
      <div className={styles.body}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: arrows scroll it */}
        <div ref={view.box} className={styles.view} tabIndex={0} onScroll={view.onScroll}>
          {ready ? <Sheets print={print} family={family} view={view} /> : <Waiting />}
        </div>
        {ready && <Floating view={view} pages={print.pages.length} />}
      </div>
      {each && (
        <Suspense>
          <FileJob title={t('print.progress')} start={() => startFiles(asked)} onClose={() => setEach(false)} />
        </Suspense>
      )}
      {out.printing && ready && <PaperOut print={print} family={family} />}
    </div>
  )
}

/** On a phone the bar has no room for the place. */
function Floating({ view, pages }: { view: View; pages: number }) {
  if (!useIsPhone()) return null
  return (
    <div className={styles.float}>
      <Place current={view.current} pages={pages} />
    </div>
  )
}

function Sheets({ print, family, view }: { print: PrintPages; family: string; view: View }) {
  const t = useText()
  const total = print.pages.length
  return (
    <div className={styles.sheets} style={{ height: view.height, width: view.width }}>
      {print.pages.slice(view.from, view.to).map((page, i) => {
        const n = view.from + i
        const place = view.places[n]
        return (
          <section key={n} className={styles.sheet} style={place} aria-label={t('print.page', { n: n + 1, total })}>
            <Drawing page={page} images={print.images} family={family} />
          </section>
        )
      })}
    </div>
  )
}

const LINES = Array.from({ length: 11 }, (_, i) => `line ${i}`)

function Waiting() {
  const t = useText()
  return (
    <div className={styles.waiting} role="status" aria-label={t('print.loading')}>
      {LINES.map((line) => (
        <i key={line} />
      ))}
    </div>
  )
}

interface FailedProps {
  error: unknown
  onRetry: () => void
  onDefault: () => void
  onBack: () => void
}

function Failed({ error, onRetry, onDefault, onBack }: FailedProps) {
  const t = useText()
  const errorText = useErrorText()
  const requestNote = useRequestNote()
  const unknown = error instanceof ApiError && error.code === ERROR.PrintTemplateNotFound
  return (
    <Notice
      role="alert"
      icon="alert"
      title={t('print.failed')}
      text={errorText(error)}
      note={requestNote(error)}
      actions={
        <>
          {unknown && (
            <Button type="primary" onClick={onDefault}>
              {t('print.otherTemplate')}
            </Button>
          )}
          {!final(error) && (
            <Button type="primary" onClick={onRetry}>
              {t('common.retry')}
            </Button>
          )}
          <Button onClick={onBack}>{t('common.back')}</Button>
        </>
      }
    />
  )
}
