import { useText } from '@/sdk/use-text'
import { PickField } from '../../shared/fields'
import { Section } from '../../shared/section'
import { ColumnsField } from '../columns-field'
import type { PanelProps } from './props'
import { TableLook } from './table'

const LOG = [
  'activityName',
  'receiveTime',
  'finishTime',
  'usedTime',
  'name',
  'operating',
  'comment',
  'signature',
] as const

export function LogPanel({ model, words, several }: PanelProps) {
  const t = useText()
  return (
    <>
      {!several && (
        <Section title={t('paper.sections.content')} keys={['workflowCode', 'columns']} open>
          <PickField
            path={['workflowCode']}
            label={t('paper.workflow')}
            options={(model?.workflows ?? []).map((one) => ({ value: one.code, label: words.label(one.label) }))}
          />
          <ColumnsField
            name="column"
            usual={[...LOG]}
            choices={LOG.map((code) => ({ code, name: t(`paper.log.${code}`), formats: [], sums: [] }))}
          />
        </Section>
      )}
      <TableLook />
    </>
  )
}
