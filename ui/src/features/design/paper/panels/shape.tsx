import { useText } from '@/sdk/use-text'
import { NumberField } from '../../shared/fields'
import { Section } from '../../shared/section'
import { StyleFields } from '../style-fields'
import type { PanelProps } from './props'

export function ShapePanel({ element }: PanelProps) {
  const t = useText()
  const filled = element.eleType === 'rectangle'
  return (
    <Section
      title={t('paper.sections.look')}
      keys={['borderType', 'borderWidth', 'borderColor', 'fillColor', 'radius']}
      open
    >
      {filled && <NumberField path={['radius']} label={t('paper.radius')} placeholder="0" unit={t('paper.mm')} />}
      <StyleFields border="solid" text={false} fill={filled} />
    </Section>
  )
}
