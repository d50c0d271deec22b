import { Radio } from 'antd'
import { useText } from '@/sdk/use-text'
import styles from '../design.module.css'
import type { FlowNode } from '../document'
import { usePlace } from '../form'
import { ExpressionField, TextField } from '../shared/fields'
import { Section } from '../shared/section'

export function Wait({ node }: { node: FlowNode }) {
  const t = useText()
  const { of, set } = usePlace()
  const kind = 'signal' in node ? 'signal' : 'until'
  return (
    <Section title={t('design.sections.wait')} keys={['until', 'signal', 'key']} open>
      <Radio.Group
        className={styles.radios ?? ''}
        aria-label={t('design.sections.wait')}
        value={kind}
        onChange={(event) => {
          const { until: _, signal: __, key: ___, ...rest } = of
          set([], event.target.value === 'signal' ? { ...rest, signal: '', key: '' } : { ...rest, until: '' })
        }}
        options={[
          { value: 'until', label: t('design.untilTime') },
          { value: 'signal', label: t('design.untilSignal') },
        ]}
      />
      {kind === 'until' ? (
        <ExpressionField path={['until']} label={t('design.time')} hint={t('design.expressionHint')} keep />
      ) : (
        <>
          <TextField path={['signal']} label={t('design.signal')} code />
          <ExpressionField path={['key']} label={t('design.key')} hint={t('design.keyHint')} keep />
        </>
      )}
    </Section>
  )
}
