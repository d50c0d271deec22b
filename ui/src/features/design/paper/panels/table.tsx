import { useText } from '@/sdk/use-text'
import frame from '../../design.module.css'
import { Below, NumberField, PickField } from '../../shared/fields'
import { Section } from '../../shared/section'
import { StyleFields } from '../style-fields'

/** How rows and their head look. */
export function TableLook() {
  const t = useText()
  const mm = t('paper.mm')
  return (
    <>
      <Section
        title={t('paper.sections.rows')}
        keys={['headHeight', 'bodyHeight', 'sheetHeaderPagingAttr', 'widowRows']}
        open
      >
        <div className={frame.pair}>
          <NumberField path={['headHeight']} label={t('paper.headHeight')} placeholder="8" unit={mm} />
          <NumberField path={['bodyHeight']} label={t('paper.bodyHeight')} placeholder="7" unit={mm} />
        </div>
        <PickField
          path={['sheetHeaderPagingAttr']}
          label={t('paper.paging')}
          fallback="every"
          options={(['every', 'first'] as const).map((value) => ({ value, label: t(`paper.pagings.${value}`) }))}
        />
        <NumberField path={['widowRows']} label={t('paper.widow')} min={1} max={20} placeholder="1" />
      </Section>
      <Section title={t('paper.sections.head')} keys={['head']}>
        <Below path={['head']}>
          <StyleFields border="solid" />
        </Below>
      </Section>
      <Section title={t('paper.sections.body')} keys={['body']}>
        <Below path={['body']}>
          <StyleFields border="solid" />
        </Below>
      </Section>
    </>
  )
}
