import { localName, OptionDot, useLocale, useTextContext, valueText } from '@sluice/sdk'
import { useQuery } from '@tanstack/react-query'
import { type QbsNode, recordQuery } from '../shared/api'
import look from '../shared/look.module.css'
import { Ready } from '../shared/page-frame'
import { evalState, workState } from '../shared/words'
import { texts } from '../texts'

const SHOWN = [
  'parentId',
  'nodeType',
  'professional',
  'mainFlag',
  'contractId',
  'jbsTemplateId',
  'drawingNo',
  'stationFrom',
  'stationTo',
  'designQty',
  'unit',
  'planStart',
  'planFinish',
  'actStart',
  'actFinish',
  'appearance',
  'concession',
]

/** What is recorded of a node, and its states. */
export function Basics({ node }: { node: Pick<QbsNode, 'id'> }) {
  const t = texts.useText()
  const locale = useLocale()
  const context = useTextContext()
  const record = useQuery(recordQuery('q_qbs', node.id))
  return (
    <Ready query={record} rows={6}>
      {({ form, data }) => {
        const evaluated = evalState(String(data.evalStatus ?? 'NONE'))
        const work = workState(String(data.workStatus ?? 'NOT_STARTED'))
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
