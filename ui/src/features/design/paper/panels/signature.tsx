import { Radio } from 'antd'
import { useText } from '@/sdk/use-text'
import frame from '../../design.module.css'
import { Below, NumberField, PickField, SwitchField, TextField, useFieldPlace } from '../../shared/fields'
import { Section } from '../../shared/section'
import { StyleFields } from '../style-fields'
import { optionsOf, single, useEither } from './parts'
import type { PanelProps } from './props'

export function SignaturePanel({ model, words, several }: PanelProps) {
  const t = useText()
  const { of } = useFieldPlace()
  const either = useEither(['node', 'propertyCode'])
  const people = single(model).filter((one) => one.person || one.opinions)
  const nodes = (model?.nodes ?? []).map((one) => ({ value: one.code, label: words.label(one.label) || one.code }))
  const byNode = typeof of.propertyCode !== 'string'
  return (
    <>
      <Section title={t('paper.sections.content')} keys={['node', 'propertyCode', 'date']} open>
        {!several && (
          <>
            <Radio.Group
              className={frame.radios ?? ''}
              aria-label={t('paper.signatureOf')}
              value={byNode ? 'node' : 'propertyCode'}
              onChange={(event) =>
                event.target.value === 'node'
                  ? either('node', nodes[0]?.value ?? '')
                  : either('propertyCode', people[0]?.code ?? '')
              }
              options={[
                { value: 'node', label: t('paper.ofNode') },
                { value: 'propertyCode', label: t('paper.ofPerson') },
              ]}
            />
            {byNode ? (
              <PickField path={['node']} label={t('paper.node')} needed options={nodes} />
            ) : (
              <PickField
                path={['propertyCode']}
                label={t('paper.property')}
                needed
                options={optionsOf(people, words)}
              />
            )}
          </>
        )}
        <SwitchField path={['date']} label={t('paper.withDate')} fallback />
      </Section>
      <SignatureKey />
      <Section title={t('paper.sections.look')} keys={['fontSize', 'fontColor', 'borderType', 'fillColor']} open>
        <StyleFields />
      </Section>
    </>
  )
}

function SignatureKey() {
  const t = useText()
  return (
    <Section title={t('paper.sections.name')} keys={['leftKey']}>
      <Below path={['leftKey']}>
        <div className={frame.pair}>
          <TextField path={['innerTxt']} label={t('paper.nameZh')} />
          <TextField path={['innerTxt_i18n', 'en']} label={t('paper.nameEn')} />
        </div>
        <NumberField
          path={['widthValue']}
          label={t('paper.nameWidth')}
          placeholder={t('paper.third')}
          unit={t('paper.mm')}
        />
        <StyleFields />
      </Below>
    </Section>
  )
}
