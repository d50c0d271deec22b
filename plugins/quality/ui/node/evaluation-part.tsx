import { OptionDot, useOpenRecord } from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { codes } from '../codes'
import { cell, type NodeStatus, type QbsNode, rowsQuery, statusQuery } from '../shared/api'
import look from '../shared/look.module.css'
import { Part, Ready } from '../shared/page-frame'
import { conclusionState, evalState, outOf, shareOf } from '../shared/words'
import { texts } from '../texts'
import { ConcessionPart } from './concession-part'
import { DuePart } from './due-part'
import { NcrList } from './ncr-list'

/** How a node is judged: its figures, by which rules, its records round by round, its corrective actions. */
export function EvaluationPart({ node }: { node: Pick<QbsNode, 'id' | 'title'> }) {
  const t = texts.useText()
  const status = useQuery(statusQuery(node.id))
  return (
    <>
      <Ready query={status}>
        {(found) => (found ? <Figures status={found} /> : <p className={look.note}>{t('notVisible')}</p>)}
      </Ready>
      {status.data && (
        <Part>
          <DuePart node={node} />
        </Part>
      )}
      <h3 className={look.heading}>{t('records')}</h3>
      <Records qbsId={node.id} />
      <NcrList qbsId={node.id} />
      <ConcessionPart node={node} />
    </>
  )
}

export function Figures({ status }: { status: NodeStatus }) {
  const t = texts.useText()
  const state = evalState(status.evalStatus)
  const facts: [string, string][] = [
    [t('passRate'), shareOf(status.passRate) || '–'],
    [t('points'), outOf(status.okPoints, status.points)],
    [t('mainItems'), outOf(status.items.main.ok, status.items.main.n)],
    [t('generalItems'), outOf(status.items.general.ok, status.items.general.n)],
    [t('sheets'), outOf(status.bizCount.done, status.bizCount.total)],
    [t('docComplete'), t(status.docComplete ? 'yes' : 'no')],
    [t('ncrOpen'), String(status.ncrOpen)],
    [t('rule'), status.rule ? ruleText(status.rule) : t('noRule')],
  ]
  return (
    <dl className={look.facts}>
      <div>
        <dt>{t('evaluation')}</dt>
        <dd>
          <OptionDot label={state.label} color={state.color} />
        </dd>
      </div>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** JTS257_2008@2 is revision 2 of JTS 257-2008. */
export function ruleText(rule: string): string {
  const [code = '', revision = ''] = rule.split('@')
  const name = code
    .replace('_', '-')
    .replace(/^(JTS|GB)(?=\d)/, '$1 ')
    .replace(/^JTGF80/, 'JTG F80/1')
  return texts.text('ruleRevision', { name, revision })
}

/** The inspection records of a node, the latest round first. */
export function Records({ qbsId }: { qbsId: string }) {
  const t = texts.useText()
  const openRecord = useOpenRecord()
  const records = useQuery(
    rowsQuery(codes.record, {
      filters: [{ propertyCode: codes.qbsId, propertyValue: qbsId }],
      orderBy: codes.checkDate,
      down: true,
    }),
  )
  return (
    <Ready query={records} rows={3}>
      {(rows) =>
        rows.length === 0 ? (
          <p className={look.note}>{t('noRecords')}</p>
        ) : (
          <div className={look.scroll}>
            <table className={look.wide}>
              <thead>
                <tr>
                  <th>{t('number')}</th>
                  <th className={look.num}>{t('round')}</th>
                  <th>{t('conclusionWord')}</th>
                  <th className={look.num}>{t('points')}</th>
                  <th className={look.num}>{t('passRate')}</th>
                  <th>{t('checkDate')}</th>
                  <th>{t('inspector')}</th>
                </tr>
              </thead>
              <tbody>
                {[...rows]
                  .sort((a, b) => Number(cell(b, codes.round)) - Number(cell(a, codes.round)))
                  .map((row) => {
                    const state = conclusionState(cell(row, codes.conclusion))
                    return (
                      <tr key={row.id}>
                        <td>
                          <Button
                            type="link"
                            size="small"
                            style={{ paddingInline: 0 }}
                            onClick={() => openRecord({ schemaCode: codes.record, id: row.id })}
                          >
                            {cell(row, 'sequenceNo')}
                          </Button>
                        </td>
                        <td className={look.num}>{cell(row, codes.round)}</td>
                        <td>
                          <OptionDot label={state.label} color={state.color} />
                        </td>
                        <td className={look.num}>{outOf(row.data[codes.okPoints], row.data[codes.points])}</td>
                        <td className={look.num}>{shareOf(cell(row, codes.rate))}</td>
                        <td>{cell(row, codes.checkDate).slice(0, 10)}</td>
                        <td>{cell(row, codes.inspector)}</td>
                      </tr>
                    )
                  })}
              </tbody>
            </table>
          </div>
        )
      }
    </Ready>
  )
}
