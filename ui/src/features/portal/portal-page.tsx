import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { ApiError } from '@/api/client'
import { Icon } from '@/components/icon'
import { Notice } from '@/components/notice'
import { useLocale } from '@/i18n/locale'
import { localName } from '@/lib/local-name'
import { usePageTitle } from '@/lib/page-title'
import { useIsNarrow } from '@/lib/use-media'
import { useErrorText } from '@/sdk/error-text'
import { Failure } from '@/sdk/failure'
import { BUILT_IN, type PortalPage as Page, type PortalParts, portalQuery } from '@/sdk/portal'
import { useText } from '@/sdk/use-text'
import styles from './portal.module.css'
import { usePortalScript } from './use-portal-script'
import { PortalView } from './view'

const Arrange = lazy(() => import('./arrange/arrange').then((m) => ({ default: m.Arrange })))

interface Props {
  portalCode: string
  /** Of a preview: the draft. */
  mode: 'runtime' | 'preview'
  parts: PortalParts
}

/** A page that an author composed of widgets. */
export function PortalPage({ portalCode, mode, parts }: Props) {
  const { data, error, isFetching, refetch } = useQuery(
    portalQuery(portalCode, mode === 'preview' ? 'design' : 'runtime'),
  )
  // What is on the screen stays when it can't be read again, unless it is gone.
  const lost = error && !isFetching && (!data || statusOf(error) === 403 || statusOf(error) === 404)
  if (lost) {
    const failed = { error, onRetry: () => void refetch() }
    if (mode === 'runtime') return <Instead {...failed} parts={parts} />
    return (
      <div className={styles.page}>
        <PreviewBanner />
        <Failed {...failed} />
      </div>
    )
  }
  if (!data) return <Waiting />
  return <Shown key={`${data.portalCode} ${mode}`} page={data} mode={mode} parts={parts} />
}

interface FailedProps {
  error: unknown
  onRetry: () => void
}

const statusOf = (error: unknown) => (error instanceof ApiError ? error.status : 0)

/** The page that every installation has, below why the one that was asked for can't be shown. */
function Instead({ error, onRetry, parts }: FailedProps & { parts: PortalParts }) {
  const built = useQuery(portalQuery(BUILT_IN, 'runtime'))
  if (built.error) return <Failed error={error} onRetry={onRetry} />
  if (!built.data) return <Waiting />
  const page = { ...built.data, portalCode: BUILT_IN, mayEdit: false, mayArrange: false }
  return <Shown page={page} mode="runtime" parts={parts} failed={<Missed error={error} onRetry={onRetry} />} />
}

function Missed({ error, onRetry }: FailedProps) {
  const t = useText()
  const errorText = useErrorText()
  const gone = statusOf(error) === 404
  return (
    <div className={styles.missed} role="alert">
      <Icon name="alert" />
      <strong>{t(gone ? 'portal.gone' : 'portal.failed')}</strong>
      <span>{gone ? t('portal.goneText') : errorText(error)}</span>
      <span>{t('portal.instead')}</span>
      {!gone && (
        <Button size="small" onClick={onRetry}>
          {t('common.retry')}
        </Button>
      )}
    </div>
  )
}

function Failed({ error, onRetry }: FailedProps) {
  const t = useText()
  return <Failure page error={error} title={t('portal.failed')} gone={t('portal.gone')} onRetry={onRetry} />
}

/** Before anybody knows what is on the page. */
function Waiting() {
  const t = useText()
  const blocks = ['1 / -1', '1 / span 8', 'span 4', '1 / span 4', 'span 4', 'span 4']
  return (
    <div className={styles.page} role="status" aria-label={t('portal.loading')}>
      <div className={styles.waiting}>
        {blocks.map((gridColumn, i) => (
          <i key={i} style={{ gridColumn, gridRow: `span ${i === 0 ? 2 : 7}` }} />
        ))}
      </div>
    </div>
  )
}

/** That it is the draft, and no page that others see; whatever becomes of it. */
function PreviewBanner() {
  const t = useText()
  return (
    <div className={styles.banner} role="status">
      <Icon name="eye" />
      <strong>{t('portal.preview')}</strong>
      <span>{t('portal.previewText')}</span>
    </div>
  )
}

interface ShownProps {
  page: Page
  mode: Props['mode']
  parts: PortalParts
  /** Why it is shown in place of another one. */
  failed?: ReactNode
}

function Shown({ page, mode, parts, failed }: ShownProps) {
  const t = useText()
  const locale = useLocale()
  const narrow = useIsNarrow()
  const name = localName(page, locale) || t('portal.title')
  usePageTitle(name)
  const [arranges, setArranges] = useState(false)
  const hidden = usePortalScript(page)
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{name}</h1>
      {failed}
      {mode === 'preview' && <PreviewBanner />}
      {mode === 'runtime' && page.fallback && page.mayEdit && (
        <div className={styles.note} role="note">
          <Icon name="edit" />
          <strong>{t('portal.draft')}</strong>
          <span>{t('portal.draftText')}</span>
        </div>
      )}
      {page.widgets.length === 0 ? (
        <Notice icon="panel" title={t('portal.empty')} text={t('portal.emptyText')} />
      ) : arranges && !narrow ? (
        <Suspense fallback={<Waiting />}>
          <Arrange page={page} parts={parts} onClose={() => setArranges(false)} />
        </Suspense>
      ) : (
        <PortalView
          page={page}
          mode={mode}
          parts={parts}
          hidden={hidden}
          tools={
            mode === 'runtime' &&
            (page.mayArrange || page.mayEdit) &&
            !narrow && (
              <div className={styles.tools}>
                {page.mayEdit && (
                  <a href={`/portal-design/${encodeURIComponent(page.portalCode)}`} target="_blank" rel="noopener">
                    <Icon name="edit" />
                    {t('portal.edit')}
                  </a>
                )}
                {page.mayArrange && (
                  <button type="button" onClick={() => setArranges(true)}>
                    <Icon name="drag" />
                    {t('portal.arrange')}
                  </button>
                )}
              </div>
            )
          }
        />
      )}
    </div>
  )
}
