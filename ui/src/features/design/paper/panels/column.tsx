import { Radio } from 'antd'
import { useText } from '@/sdk/use-text'
import frame from '../../design.module.css'
import { Below, NumberField, PickField, SwitchField, TextField, useFieldPlace } from '../../shared/fields'
import { isBag } from '../../shared/json'
import { Section } from '../../shared/section'
import { FormatField } from '../columns-field'
import { StyleFields } from '../style-fields'
import { Overflow, optionsOf, single } from './parts'
import type { PanelProps } from './props'

export function ColumnPanel({ model, words, element, several }: PanelProps) {
  const t = useText()
  const property = model?.properties.find((one) => one.code === element.propertyCode)
  return (
    <>
      <Section
        title={t('paper.sections.content')}
        keys={['propertyCode', 'displayFormat', 'allOptions', 'textAreaType']}
        open
      >
        {!several && (
          <PickField
            path={['propertyCode']}
            label={t('paper.property')}
            needed
            options={optionsOf(single(model), words)}
          />
        )}
        {!several && property && property.formats.length > 0 && <FormatField formats={property.formats} />}
        {(element.allOptions !== undefined || (!several && property?.options)) && (
          <SwitchField path={['allOptions']} label={t('paper.allOptions')} hint={t('paper.allOptionsHint')} />
        )}
        <Overflow />
      </Section>
      <KeySection several={several} usual={property ? words.label(property.label) : ''} />
      <Section title={t('paper.sections.value')} keys={['rightValue']} open>
        <Below path={['rightValue']}>
          <StyleFields />
        </Below>
      </Section>
    </>
  )
}

/** The name beside a value. */
function KeySection({ several, usual }: { several: boolean; usual: string }) {
  const t = useText()
  const { of } = useFieldPlace()
  const key = isBag(of.leftKey) ? of.leftKey : {}
  const hidden = key.innerTxt === ''
  return (
    <Section title={t('paper.sections.name')} keys={['leftKey']} open>
      <Below path={['leftKey']}>
        <NameShown />
        {!hidden && (
          <>
            {!several && (
              <div className={frame.pair}>
                <TextField path={['innerTxt']} label={t('paper.nameZh')} placeholder={usual} />
                <TextField path={['innerTxt_i18n', 'en']} label={t('paper.nameEn')} />
              </div>
            )}
            <NumberField
              path={['widthValue']}
              label={t('paper.nameWidth')}
              placeholder={t('paper.third')}
              unit={t('paper.mm')}
            />
            <StyleFields />
          </>
        )}
      </Below>
    </Section>
  )
}

function NameShown() {
  const t = useText()
  const { of, set } = useFieldPlace()
  return (
    <Radio.Group
      className={frame.radios ?? ''}
      aria-label={t('paper.sections.name')}
      value={of.innerTxt !== ''}
      onChange={(event) => set(['innerTxt'], event.target.value ? undefined : '')}
      options={[
        { value: true, label: t('paper.nameShown') },
        { value: false, label: t('paper.nameHidden') },
      ]}
    />
  )
}
