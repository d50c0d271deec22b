import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { RecordPage } from '@/features/form/record-page'
import { NotFound } from './not-found'

/** A record on a page of its own. */
export function RecordRoute({ onClose, inDrawer = false }: { onClose?: () => void; inDrawer?: boolean }) {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const client = useQueryClient()
  const schemaCode = search.get('schemaCode')
  if (!schemaCode) return <NotFound />
  const close = onClose ?? (() => (window.history.length > 1 ? navigate(-1) : navigate('/')))
  return (
    <RecordPage
      key={`${schemaCode}/${search.get('key')}`}
      schemaCode={schemaCode}
      sheetCode={search.get('sheetCode')}
      queryCode={search.get('queryCode')}
      objectId={search.get('key')}
      inDrawer={inDrawer}
      onClose={close}
      onChanged={() => void client.invalidateQueries({ queryKey: ['list', schemaCode] })}
    />
  )
}
