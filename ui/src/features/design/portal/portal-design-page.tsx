import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useMemo, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { Notice } from '@/components/notice'
import { usePageTitle } from '@/lib/page-title'
import { useMedia } from '@/lib/use-media'
import { useSearch } from '@/lib/use-search'
import { Failure } from '@/sdk/failure'
import { useFeedback } from '@/sdk/feedback'
import { WORKBENCH } from '@/sdk/portal'
import { useText } from '@/sdk/use-text'
import frame from '../design.module.css'
import { readJson, writeJson } from '../shared/json'
import { discardDraft, lockPortal, nameOf, type PortalDesign, portalDesignQuery } from './api'
import type { Drawing } from './drawing'
import { Editor } from './editor'
import { NewPage } from './new-page'
import { isPage, type Page } from './page'

const pageIn = (text: string | null | undefined): Page | null => {
  try {
    const value = text ? readJson(text) : null
    return isPage(value) ? value : null
  } catch {
    return null
  }
}

/** What a page under a new code begins with, by its code. It outlives the change of the address. */
const begun = new Map<string, Page>()

/** A portal page that is being designed, in a tab of its own. */
export function PortalDesignPage({ drawing }: { drawing: Drawing }) {
  const t = useText()
  const navigate = useNavigate()
  const { pageCode = '' } = useParams()
  const [search] = useSearch()
  const appCode = search.get('appCode')
  const [copy, setCopy] = useState<Page | null>(null)
  usePageTitle(t('portalDesign.title'))
  const begin = (code: string, page: Page) => {
    begun.set(code, page)
    setCopy(null)
    void navigate(
      `/portal-design/${encodeURIComponent(code)}${appCode ? `?appCode=${encodeURIComponent(appCode)}` : ''}`,
      {
        replace: true,
      },
    )
  }
  if (pageCode === 'new' || copy)
    return <NewPage appCode={appCode} copy={copy} onBegin={begin} onClose={copy ? () => setCopy(null) : undefined} />
  return <Opened key={pageCode} portalCode={pageCode} appCode={appCode} drawing={drawing} onCopy={setCopy} />
}

/** A page that only has its code. */
const emptyPage = ({ portalCode, appCode }: PortalDesign): Page => ({
  ...(portalCode === WORKBENCH ? { name: '工作台', name_i18n: { en: 'Workbench' } } : { name: portalCode }),
  ...(appCode && { appCode }),
  widgets: [],
})

interface OpenedProps {
  portalCode: string
  appCode: string | null
  drawing: Drawing
  onCopy: (page: Page) => void
}

function Opened({ portalCode, appCode, drawing, onCopy }: OpenedProps) {
  const t = useText()
  const { data, error, isFetching, refetch } = useQuery(portalDesignQuery(portalCode, appCode))
  if (error && !isFetching) {
    return <Failure page error={error} who={t('portalDesign.forbidden')} onRetry={refetch} />
  }
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 8 }} style={{ padding: 24 }} />
  return <Chosen design={data} drawing={drawing} onCopy={onCopy} />
}

/** Which of the texts of a page the designer begins with. */
function Chosen({ design, drawing, onCopy }: { design: PortalDesign; drawing: Drawing; onCopy: (page: Page) => void }) {
  const t = useText()
  const say = useFeedback()
  const client = useQueryClient()
  const editable = useMedia('(min-width: 768px)')
  const before = useMemo(() => (design.new ? null : pageIn(design.text)), [design])
  const drafted = useMemo(() => pageIn(design.draft?.text), [design])
  const old = design.draft !== null && !design.new && design.draft.seen !== design.seen
  const [answer, setAnswer] = useState<'draft' | 'published' | null>(null)
  const broken = design.draft !== null && drafted === null && answer === null
  const discard = () =>
    lockPortal(nameOf(design.portalCode, design.appCode))
      .then(() => discardDraft(nameOf(design.portalCode, design.appCode)))
      .then(() => {
        client.removeQueries({ queryKey: ['design', 'portal', design.portalCode] })
        setAnswer('published')
      })
      .catch(say.error)
  if (!design.new && !before)
    return <Notice page role="alert" icon="alert" title={t('paper.cannotDraw')} text={t('portalDesign.notAPage')} />
  if (broken)
    return (
      <Notice
        page
        role="alert"
        icon="alert"
        title={t('portalDesign.brokenDraft')}
        text={t('portalDesign.brokenDraftText')}
        actions={
          <>
            <Button type="primary" onClick={() => void discard()}>
              {t('portalDesign.discardDraft')}
            </Button>
            <textarea
              className={frame.code}
              readOnly
              rows={12}
              cols={60}
              aria-label={t('portalDesign.draftText')}
              value={design.draft?.text ?? ''}
            />
          </>
        }
      />
    )
  if (old && answer === null)
    return (
      <Notice
        page
        icon="alert"
        title={t('portalDesign.oldDraft')}
        text={t('portalDesign.oldDraftText')}
        actions={
          <>
            <Button type="primary" onClick={() => setAnswer('draft')}>
              {t('portalDesign.keepDraft')}
            </Button>
            <Button onClick={() => void discard()}>{t('portalDesign.discardDraft')}</Button>
          </>
        }
      />
    )
  const draft = answer === 'published' ? null : drafted
  const begunWith = begun.get(design.portalCode)
  const first = draft ?? before ?? begunWith ?? emptyPage(design)
  // Of a page that nobody has begun, nothing is kept before it is changed.
  const kept = draft ?? before ?? (begunWith ? null : first)
  const keptText = kept ? writeJson(kept) : null
  return (
    <Editor
      key={answer ?? ''}
      design={design}
      first={first}
      before={before}
      keptText={keptText}
      drawing={drawing}
      editable={editable}
      onCopy={onCopy}
    />
  )
}
