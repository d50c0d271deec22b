import { Choice } from '@/components/choice'
import { useText } from '@/sdk/use-text'
import { PickField, Row, TextField, useFieldPlace } from '../../shared/fields'
import { Section } from '../../shared/section'
import { Insert, optionsOf, single, useEither } from './parts'
import { FileField } from './picture-file'
import type { PanelProps } from './props'

const CODES = ['record', 'verification', 'propertyCode', 'text'] as const

export function QrCodePanel({ model, words, design, several }: PanelProps) {
  const t = useText()
  const { of } = useFieldPlace()
  const either = useEither(['content', 'propertyCode', 'text', 'text_i18n'])
  const kind =
    typeof of.propertyCode === 'string'
      ? 'propertyCode'
      : typeof of.text === 'string'
        ? 'text'
        : of.content === 'verification'
          ? 'verification'
          : 'record'
  return (
    <Section
      title={t('paper.sections.content')}
      keys={['propertyCode', 'text', 'content', 'picUrl', 'errorCorrection']}
      open
    >
      {!several && (
        <>
          <Row label={t('paper.codeHolds')}>
            {(id) => (
              <Choice<string>
                id={id}
                value={kind}
                options={CODES.map((value) => ({ value, label: t(`paper.codes.${value}`) }))}
                onChange={(next) => {
                  if (next === 'propertyCode') either('propertyCode', single(model)[0]?.code ?? '')
                  else if (next === 'text') either('text', '{name}')
                  else either('content', next === 'record' ? undefined : next)
                }}
              />
            )}
          </Row>
          {kind === 'propertyCode' && (
            <PickField
              path={['propertyCode']}
              label={t('paper.property')}
              needed
              options={optionsOf(single(model), words)}
            />
          )}
          {kind === 'text' && (
            <>
              <TextField path={['text']} label={t('paper.text')} hint={t('paper.textHint', { example: '{amount}' })} />
              <Insert model={model} words={words} path="text" />
            </>
          )}
          <FileField design={design} optional />
        </>
      )}
      <PickField
        path={['errorCorrection']}
        label={t('paper.correction')}
        fallback="M"
        options={['L', 'M', 'Q', 'H'].map((value) => ({ value, label: value }))}
      />
    </Section>
  )
}
