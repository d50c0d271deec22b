import { useOpenRecord } from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { codes } from '../codes'
import { cell, refOf, rowsQuery } from '../shared/api'
import look from '../shared/look.module.css'
import { Ready } from '../shared/page-frame'
import { texts } from '../texts'

/** The components that are bound to a node. */
export function ComponentsPart({ qbsId }: { qbsId: string }) {
  const t = texts.useText()
  const openRecord = useOpenRecord()
  const bound = useQuery(rowsQuery(codes.relation, { filters: [{ propertyCode: codes.qbsId, propertyValue: qbsId }] }))
  return (
    <Ready query={bound}>
      {(rows) =>
        rows.length === 0 ? (
          <p className={look.note}>{t('noComponents')}</p>
        ) : (
          <div className={look.scroll}>
            <table className={look.wide}>
              <thead>
                <tr>
                  <th>{t('component')}</th>
                  <th className={look.num}>{t('ratio')}</th>
                  <th>{t('boundBy')}</th>
                  <th>{t('boundAt')}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.id}>
                    <td>
                      <Button
                        type="link"
                        size="small"
                        style={{ paddingInline: 0 }}
                        onClick={() => openRecord({ schemaCode: codes.component, id: refOf(row.data[codes.mbsId]) })}
                      >
                        {cell(row, codes.mbsId)}
                      </Button>
                    </td>
                    <td className={look.num}>{cell(row, codes.ratio)}</td>
                    <td>{cell(row, codes.boundBy)}</td>
                    <td>{cell(row, codes.boundTime).slice(0, 10)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )
      }
    </Ready>
  )
}
