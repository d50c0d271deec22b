import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { recordQuery } from '@/features/form/api'
import { RecordPage } from '@/features/form/record/record-page'
import { RelatedRecords } from '@/features/form/record/related-records'
import { useVisit } from '@/features/menu/use-visit'
import { loadLaterTexts } from '@/i18n/i18n'
import { iframeAction, tellHost } from '@/lib/embedded'
import { useBack } from '@/lib/use-back'
import { useSearch } from '@/lib/use-search'
import { recordPath } from '@/sdk/record-link'
import { type FormQuery, readFormQuery } from './form-query'
import { NotFound } from './not-found'
import { RecordCreator } from './record-creator'
import './record-parts'

const LifePage = lazy(() => import('@/features/form/life/life-page').then((m) => ({ default: m.LifePage })))

const WorkflowForm = lazy(() =>
  Promise.all([import('./workflow-form'), loadLaterTexts()]).then(([m]) => ({
    default: m.WorkflowForm,
  })),
)

/** Closing leads to the address that the page was given, else back; a window that held nothing else goes, a page opened by its address leads home. */
function useClose(back: string | null) {
  const navigate = useNavigate()
  const from = (useLocation().state as { from?: string } | null)?.from
  const goBack = useBack(() => {
    if (window.history.length === 1) window.close() // refused where no script opened the window
    navigate('/', { replace: true })
  })
  return () => {
    if (iframeAction() !== null) return // the page around takes the frame away
    if (back && back !== from) navigate(back, { replace: true })
    else goBack()
  }
}

/** A record: on a page of its own, in a drawer, or in a frame of another page of ours. */
export function RecordRoute({ onClose, inDrawer = false }: { onClose?: () => void; inDrawer?: boolean }) {
  const [search] = useSearch()
  const query = readFormQuery(search)
  const closed = useClose(query.back)
  const record = { schemaCode: query.schemaCode ?? '', objectId: query.objectId }
  const close = () => {
    tellHost({ type: 'closed' }, record)
    if (onClose) onClose()
    else closed()
  }
  const { task, startWorkflow } = query
  if (task || startWorkflow) {
    const start = startWorkflow
      ? { workflowCode: startWorkflow, objectId: query.objectId, draftId: query.draftId }
      : null
    return (
      <Suspense fallback={null}>
        <WorkflowForm task={task} start={start} inDrawer={inDrawer} onClose={close} />
      </Suspense>
    )
  }
  if (!query.schemaCode)
    return query.instance ? (
      <Navigate to={`/from/workflow-track/${encodeURIComponent(query.instance)}`} replace />
    ) : (
      <NotFound />
    )
  return <OpenRoute query={query} schemaCode={query.schemaCode} inDrawer={inDrawer} close={close} />
}

interface OpenRouteProps {
  query: FormQuery
  schemaCode: string
  inDrawer: boolean
  close: () => void
}

function OpenRoute({ query, schemaCode, inDrawer, close }: OpenRouteProps) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const location = useLocation()
  /** Counts the records that were added one after the other on this page. */
  const [turn, setTurn] = useState(0)
  const kept = useRef(new Map<string, unknown>())
  const { objectId, sheetCode, queryCode, back } = query
  const record = { schemaCode, objectId }
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once for each record
  useEffect(() => tellHost({ type: 'ready' }, record), [schemaCode, objectId])
  const changed = (open: string | null) => {
    void client.invalidateQueries({ queryKey: ['list', schemaCode] })
    if (open === null) tellHost({ type: 'deleted' }, record)
    else tellHost({ type: 'saved', added: objectId === null }, { schemaCode, objectId: open || null })
    if (open === '') setTurn((n) => n + 1)
    else if (open === null || (back && (query.fromButton || objectId === null))) close()
    else if (open === objectId && query.edit) {
      // It is read now, and so it is opened when the page is loaded once more or its address passed on.
      const search = new URLSearchParams(location.search)
      search.delete('edit')
      search.delete('revert')
      navigate(`${location.pathname}?${search}`, { replace: true, state: location.state })
    } else if (open !== objectId)
      navigate(recordPath({ schemaCode, sheetCode, queryCode, id: open }), { replace: true, state: location.state })
  }
  // Its contents are there when the page has read them: a record that is not there was not opened.
  const read = useQuery({
    ...recordQuery({ schemaCode, sheetCode: sheetCode ?? undefined, objectId: objectId ?? undefined }),
    enabled: false,
  })
  useVisit(objectId && read.data ? { kind: 'record', place: schemaCode, code: objectId } : null)
  const { moment } = query
  if (moment && objectId)
    return (
      <Suspense fallback={null}>
        <LifePage
          schemaCode={schemaCode}
          sheetCode={sheetCode ?? undefined}
          queryCode={queryCode ?? undefined}
          objectId={objectId}
          moment={moment}
          inDrawer={inDrawer}
          onClose={close}
        />
      </Suspense>
    )
  return (
    <RecordCreator>
      <RecordPage
        key={`${schemaCode}/${objectId}/${query.draftId}/${turn}`}
        schemaCode={schemaCode}
        sheetCode={sheetCode ?? undefined}
        objectId={objectId ?? undefined}
        copyFrom={turn === 0 ? (query.copyFrom ?? undefined) : undefined}
        draftId={turn === 0 ? (query.draftId ?? undefined) : undefined}
        edit={query.edit}
        queryCode={queryCode ?? undefined}
        relation={query.relation ?? undefined}
        given={givenOf(location.state)}
        revert={query.revert}
        inDrawer={inDrawer}
        onClose={close}
        onChanged={changed}
        onDirty={(dirty) => tellHost({ type: 'dirty', dirty }, record)}
        related={(item, id) => <RelatedRecords item={item} objectId={id} />}
        kept={kept.current}
      />
    </RecordCreator>
  )
}

/** What a link gave a new record besides its address. */
const givenOf = (state: unknown) => (state as { given?: Record<string, unknown> } | null)?.given
