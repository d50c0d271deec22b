import { Radio } from 'antd'
import { useText } from '@/sdk/use-text'
import frame from '../../design.module.css'
import { NumberField, PickField, TextField, useFieldPlace } from '../../shared/fields'
import { Section } from '../../shared/section'
import { optionsOf, single, useEither } from './parts'
import { FileField } from './picture-file'
import type { PanelProps } from './props'

export function PicturePanel({ model, words, design, several }: PanelProps) {
  const t = useText()
  const { of } = useFieldPlace()
  const either = useEither(['propertyCode', 'picUrl'])
  const files = single(model).filter((one) => one.files)
  const own = typeof of.picUrl === 'string'
  return (
    <Section
      title={t('paper.sections.content')}
      keys={['propertyCode', 'picUrl', 'fit', 'perPage', 'photosAcross', 'caption']}
      open
    >
      {!several && (
        <>
          <Radio.Group
            className={frame.radios ?? ''}
            aria-label={t('paper.pictureOf')}
            value={own ? 'picUrl' : 'propertyCode'}
            onChange={(event) =>
              event.target.value === 'picUrl'
                ? either('picUrl', design.pictures[0] ?? '')
                : either('propertyCode', files[0]?.code ?? '')
            }
            options={[
              { value: 'propertyCode', label: t('paper.ofProperty') },
              { value: 'picUrl', label: t('paper.ofFile') },
            ]}
          />
          {own ? (
            <FileField design={design} />
          ) : (
            <PickField path={['propertyCode']} label={t('paper.property')} needed options={optionsOf(files, words)} />
          )}
        </>
      )}
      <PickField
        path={['fit']}
        label={t('paper.fitOf')}
        fallback="contain"
        options={(['contain', 'cover', 'fill'] as const).map((value) => ({ value, label: t(`paper.fits.${value}`) }))}
      />
      {!own && !several && (
        <>
          <NumberField path={['perPage']} label={t('paper.perPage')} hint={t('paper.perPageHint')} min={1} max={24} />
          {of.perPage !== undefined && (
            <>
              <NumberField path={['photosAcross']} label={t('paper.photosAcross')} placeholder="2" min={1} max={6} />
              <TextField
                path={['caption']}
                label={t('paper.caption')}
                hint={t('paper.captionHint', { example: '{photo:number} {photo:time} {photo:place}' })}
              />
            </>
          )}
        </>
      )}
    </Section>
  )
}
