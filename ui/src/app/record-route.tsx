import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { RecordPage } from '@/features/form/record-page'
import { RelatedRecords } from '@/features/form/related-records'
import { recordPath } from '@/sdk/record-link'
import { NotFound } from './not-found'

/** A record on a page of its own. */
export function RecordRoute({ onClose, inDrawer = false }: { onClose?: () => void; inDrawer?: boolean }) {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const client = useQueryClient()
  /** Counts the records that were added one after the other on this page. */
  const [turn, setTurn] = useState(0)
  const location = useLocation()
  const schemaCode = search.get('schemaCode')
  if (!schemaCode) return <NotFound />
  const objectId = search.get('key') ?? search.get('objectId')
  const relId = search.get('relId')
  const close = onClose ?? (() => (window.history.length > 1 ? navigate(-1) : navigate('/')))
  const changed = (open: string | null) => {
    void client.invalidateQueries({ queryKey: ['list', schemaCode] })
    if (open === null) close()
    else if (open === '') setTurn((n) => n + 1)
    else if (open !== objectId)
      navigate(
        recordPath({ schemaCode, sheetCode: search.get('sheetCode'), queryCode: search.get('queryCode'), id: open }),
        { replace: true, state: location.state },
      )
  }
  return (
    <RecordPage
      key={`${schemaCode}/${objectId}/${turn}`}
      schemaCode={schemaCode}
      sheetCode={search.get('sheetCode') ?? undefined}
      objectId={objectId ?? undefined}
      copyFrom={turn === 0 ? (search.get('copyFrom') ?? undefined) : undefined}
      edit={search.get('edit') === '1'}
      relation={relId ? { propertyCode: search.get('relPropertyCode') ?? '', id: relId } : undefined}
      inDrawer={inDrawer}
      onClose={close}
      onChanged={changed}
      related={(item, id) => <RelatedRecords item={item} objectId={id} />}
    />
  )
}
