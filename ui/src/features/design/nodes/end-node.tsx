import { useText } from '@/sdk/use-text'
import { usePlace } from '../form'
import { Mapping } from '../mapping'
import { PickField, SwitchField } from '../shared/fields'
import { Section } from '../shared/section'
import { useDesignWords } from '../words'

export function End() {
  const t = useText()
  const words = useDesignWords()
  const { model } = usePlace()
  return (
    <Section title={t('design.sections.end')} keys={['result', 'set', 'terminate']} open>
      <PickField
        path={['result']}
        label={t('design.result')}
        fallback="AGREED"
        options={(['AGREED', 'REJECTED'] as const).map((value) => ({ value, label: t(`design.results.${value}`) }))}
      />
      <Mapping
        path={['set']}
        label={t('design.set')}
        values
        keys={words.properties(model, (one) => !one.system && !one.computed && !one.sheet && !one.code.includes('.'))}
      />
      <SwitchField path={['terminate']} label={t('design.terminate')} />
    </Section>
  )
}
