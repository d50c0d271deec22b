import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { useMemo } from 'react'
import { useNavigate, useParams } from 'react-router'
import { usePageTitle } from '@/lib/page-title'
import { useMedia } from '@/lib/use-media'
import { useSearch } from '@/lib/use-search'
import { Failure } from '@/sdk/failure'
import { lostOf } from '@/sdk/lost'
import { WORKBENCH } from '@/sdk/portal'
import { useText } from '@/sdk/use-text'
import { nameOf, type OpenedDocument } from '../shared/api'
import { begin } from '../shared/begun'
import { type Beginning, OpenDocument } from '../shared/open-document'
import { choicesQuery } from './api'
import type { Drawing } from './drawing'
import { addressOf, Editor } from './editor'
import { NewPage } from './new-page'
import { isPage, type Page } from './page'

/** A portal page that is being designed, in a tab of its own. */
export function PortalDesignPage({ drawing }: { drawing: Drawing }) {
  const t = useText()
  const navigate = useNavigate()
  const { pageCode = '' } = useParams()
  const [search] = useSearch()
  const appCode = search.get('appCode')
  usePageTitle(t('portalDesign.title'))
  const of = useMemo(() => nameOf('portal', pageCode, appCode), [pageCode, appCode])
  if (pageCode === 'new')
    return (
      <NewPage
        appCode={appCode}
        onBegin={(code, page) => {
          begin('portal', code, page)
          void navigate(addressOf(code, appCode), { replace: true })
        }}
      />
    )
  return (
    <OpenDocument
      key={pageCode}
      of={of}
      draws={isPage}
      refusal={t('portalDesign.notAPage')}
      empty={emptyPage}
      address={addressOf('new', appCode)}
    >
      {(beginning) => <Opened beginning={beginning} drawing={drawing} />}
    </OpenDocument>
  )
}

/** A page that only has its code. */
const emptyPage = ({ code, appCode }: OpenedDocument): Page => ({
  ...(code === WORKBENCH ? { name: '工作台', name_i18n: { en: 'Workbench' } } : { name: code }),
  ...(appCode && { appCode }),
  widgets: [],
})

function Opened({ beginning, drawing }: { beginning: Beginning<Page>; drawing: Drawing }) {
  const editable = useMedia('(min-width: 768px)')
  const { code, appCode, whole } = beginning.opened
  const { data, error } = useQuery(choicesQuery(code, appCode))
  const design = useMemo(
    () => data && { ...data, portalCode: code, appCode, scripts: whole },
    [data, code, appCode, whole],
  )
  const lost = lostOf({ data, error })
  if (lost) return <Failure page error={lost} />
  if (!design) return <Skeleton active title={false} paragraph={{ rows: 8 }} style={{ padding: 24 }} />
  return <Editor design={design} beginning={beginning} drawing={drawing} editable={editable} />
}
