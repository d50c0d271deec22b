import { formatInstant, post, type RecordPartProps, useTextContext } from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { codes } from './codes'
import { texts } from './texts'

const LATEST = 5

/** The latest values that were observed at the point. */
export default function Observations({ objectId, version }: RecordPartProps) {
  const t = texts.useText()
  const context = useTextContext()
  const { data } = useQuery({
    queryKey: ['survey', 'observations', objectId, version],
    queryFn: () =>
      post('/api/runtime/query/list', {
        schemaCode: codes.observation,
        queryCode: codes.list,
        filters: [{ propertyCode: codes.point, propertyValue: objectId }],
        orderByFields: [codes.takenAt],
        orderType: 2, // the latest first
        page: 0,
        size: LATEST,
      }),
  })
  const rows = data?.content ?? []
  return (
    <section className="survey-part">
      <h2>{t('observations')}</h2>
      {data && rows.length === 0 && <p>{t('noObservations')}</p>}
      <dl>
        {rows.map((row) => (
          <div key={row.id}>
            <dt>{formatInstant(String(row.data[codes.takenAt] ?? ''), 'yyyy-MM-dd HH:mm', context)}</dt>
            <dd>{String(row.data[codes.value] ?? '')}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
