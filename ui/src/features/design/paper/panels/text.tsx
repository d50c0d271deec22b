import { useText } from '@/sdk/use-text'
import { TextField } from '../../shared/fields'
import { Section } from '../../shared/section'
import { StyleFields } from '../style-fields'
import { Insert, Overflow } from './parts'
import type { PanelProps } from './props'

export function TextPanel({ model, words, several }: PanelProps) {
  const t = useText()
  return (
    <>
      <Section title={t('paper.sections.content')} keys={['text', 'text_i18n', 'textAreaType']} open>
        {!several && (
          <>
            <TextField
              path={['text']}
              label={t('paper.textZh')}
              hint={t('paper.textHint', { example: '{amount}' })}
              area
            />
            <TextField path={['text_i18n', 'en']} label={t('paper.textEn')} area />
            <Insert model={model} words={words} path="text" />
          </>
        )}
        <Overflow />
      </Section>
      <Section title={t('paper.sections.look')} keys={['fontSize', 'fontColor', 'borderType', 'fillColor']} open>
        <StyleFields />
      </Section>
    </>
  )
}
