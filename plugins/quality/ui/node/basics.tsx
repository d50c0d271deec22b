import { localName, OptionDot, useLocale, useTextContext, valueText } from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { codes } from '../codes'
import { type QbsNode, recordQuery } from '../shared/api'
import look from '../shared/look.module.css'
import { Ready } from '../shared/page-frame'
import { evalState, workState } from '../shared/words'
import { texts } from '../texts'

const SHOWN = [
  codes.parentId,
  codes.nodeType,
  codes.professional,
  codes.mainFlag,
  codes.contractId,
  codes.jbsTemplateId,
  codes.drawingNo,
  codes.stationFrom,
  codes.stationTo,
  codes.designQty,
  codes.unit,
  codes.planStart,
  codes.planFinish,
  codes.actStart,
  codes.actFinish,
  codes.appearance,
  codes.concession,
]

/** What is recorded of a node, and its states. */
export function Basics({ node }: { node: Pick<QbsNode, 'id'> }) {
  const t = texts.useText()
  const locale = useLocale()
  const context = useTextContext()
  const record = useQuery(recordQuery(codes.node, node.id))
  return (
    <Ready query={record} rows={6}>
      {({ form, data }) => {
        const evaluated = evalState(String(data[codes.evalStatus] ?? 'NONE'))
        const work = workState(String(data[codes.workStatus] ?? 'NOT_STARTED'))
        return (
          <dl className={look.facts}>
            <div>
              <dt>{t('evaluation')}</dt>
              <dd>
                <OptionDot label={evaluated.label} color={evaluated.color} />
              </dd>
            </div>
            <div>
              <dt>{t('work')}</dt>
              <dd>
                <OptionDot label={work.label} color={work.color} />
              </dd>
            </div>
            {SHOWN.map((code) => {
              const field = form.fields.find(({ propertyCode }) => propertyCode === code)
              const text = field ? valueText(data[code], field, context) : ''
              return field && text !== '' ? (
                <div key={code}>
                  <dt>{localName(field, locale)}</dt>
                  <dd>{text}</dd>
                </div>
              ) : null
            })}
          </dl>
        )
      }}
    </Ready>
  )
}
