import { useText } from '@/sdk/use-text'
import { PickField, SwitchField } from '../../shared/fields'
import { Section } from '../../shared/section'
import { optionsOf, single } from './parts'
import type { PanelProps } from './props'

export function BarcodePanel({ model, words, several }: PanelProps) {
  const t = useText()
  return (
    <Section title={t('paper.sections.content')} keys={['propertyCode', 'symbology', 'showText']} open>
      {!several && (
        <PickField
          path={['propertyCode']}
          label={t('paper.property')}
          needed
          options={optionsOf(single(model), words)}
        />
      )}
      <PickField
        path={['symbology']}
        label={t('paper.symbology')}
        fallback="CODE128"
        options={['CODE128', 'CODE39', 'EAN13', 'EAN8', 'ITF'].map((value) => ({ value, label: value }))}
      />
      <SwitchField path={['showText']} label={t('paper.showText')} fallback />
    </Section>
  )
}
