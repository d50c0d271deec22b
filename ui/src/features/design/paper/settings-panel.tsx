import { Button, Switch } from 'antd'
import { useId } from 'react'
import { Choice } from '@/components/choice'
import { useText } from '@/sdk/use-text'
import frame from '../design.module.css'
import {
  Below,
  ExpressionField,
  ManyField,
  NameFields,
  NumberField,
  PickField,
  Row,
  SwitchField,
  TextField,
  useFieldPlace,
} from '../shared/fields'
import { type Bag, isBag } from '../shared/json'
import { Section } from '../shared/section'
import type { PrintDesign, PrintModel } from './api'
import { FileField } from './panels/picture-file'
import styles from './paper.module.css'
import { Entry } from './style-fields'
import { MARGINS, PAPERS } from './template'
import type { PaperWords } from './words'

interface Props {
  design: PrintDesign
  model: PrintModel | undefined
  words: PaperWords
  /** The part to begin with. */
  open: 'header' | 'footer' | null
}

/** What holds for the whole template: its name, its paper, header and footer, background. */
export function SettingsPanel({ design, model, words, open }: Props) {
  const t = useText()
  const { of } = useFieldPlace()
  const settings = isBag(of.pageSettings) ? of.pageSettings : {}
  const mm = t('paper.mm')
  const sides = Object.keys(MARGINS) as (keyof typeof MARGINS)[]
  return (
    <>
      <Section title={t('paper.sections.paper')} keys={['pageSettings']} open={open === null}>
        <Below path={['pageSettings']}>
          <div className={frame.pair}>
            <Size />
            {settings.size !== 'custom' && (
              <PickField
                path={['direction']}
                brief
                label={t('paper.direction')}
                fallback="portrait"
                options={(['portrait', 'landscape'] as const).map((value) => ({
                  value,
                  label: t(`paper.directions.${value}`),
                }))}
              />
            )}
          </div>
          {settings.size === 'custom' && (
            <div className={frame.pair}>
              <NumberField path={['width']} label={t('paper.width')} max={2000} unit={mm} />
              <NumberField path={['height']} label={t('paper.height')} max={2000} unit={mm} />
            </div>
          )}
          <div className={frame.pair}>
            {sides.map((side) => (
              <NumberField
                key={side}
                path={[side]}
                label={t(`paper.margins.${side}`)}
                max={2000}
                placeholder={String(MARGINS[side])}
                unit={mm}
              />
            ))}
          </div>
        </Below>
      </Section>
      <BandSection band="header" open={open === 'header'} />
      <BandSection band="footer" open={open === 'footer'} />
      <BandSection band="nextHeader" open={false} />
      <BandSection band="nextFooter" open={false} />
      <Background design={design} />
      <Section
        title={t('paper.sections.template')}
        keys={['name', 'sheetCode', 'condition', 'schemaCode', 'read']}
        open={open === null}
      >
        <NameFields zh={t('design.nameZh')} en={t('design.nameEn')} />
        <PickField
          path={['sheetCode']}
          label={t('paper.onlyForm')}
          options={(model?.forms ?? []).map((one) => ({ value: one.sheetCode, label: words.label(one.label) }))}
        />
        <ExpressionField path={['condition']} label={t('paper.offeredWhere')} hint={t('paper.conditionHint')} />
        <ManyField
          path={['read']}
          label={t('paper.read')}
          hint={t('paper.readHint')}
          options={design.roles.map((one) => ({ value: one.code, label: words.label(one.label) || one.code }))}
          placeholder={t('paper.everybody')}
        />
        <TextField path={['description']} label={t('design.note')} area />
      </Section>
    </>
  )
}

/** The size; one of one's own begins with the measures of A4. */
function Size() {
  const t = useText()
  const { of, set } = useFieldPlace()
  return (
    <Row label={t('paper.size')} path={['size']}>
      {(id) => (
        <Choice<string>
          id={id}
          value={typeof of.size === 'string' ? of.size : 'A4'}
          options={[
            ...Object.keys(PAPERS).map((value) => ({ value, label: value })),
            { value: 'custom', label: t('paper.custom') },
          ]}
          onChange={(next) => {
            const { width: _, height: __, size: ___, ...rest } = of
            const own =
              next === 'custom'
                ? { size: 'custom', width: of.width ?? 210, height: of.height ?? 297 }
                : { size: next ?? 'A4' }
            set([], { ...own, ...rest })
          }}
        />
      )}
    </Row>
  )
}

const ITEMS = ['PageNum', 'Total', 'Date', 'Time', 'Text'] as const
type Item = (typeof ITEMS)[number]

const WITH = {
  header: 'paper.withHeader',
  footer: 'paper.withFooter',
  nextHeader: 'paper.withNextHeader',
  nextFooter: 'paper.withNextFooter',
} as const

/** The items above or below pages; those of pages after the first take the place of the others. */
function BandSection({ band, open }: { band: keyof typeof WITH; open: boolean }) {
  const t = useText()
  const id = useId()
  const place = useFieldPlace()
  const settings = isBag(place.of.pageSettings) ? place.of.pageSettings : {}
  const is = isBag(settings[band])
  return (
    <Section title={t(`paper.${band}`)} keys={[`pageSettings/${band}`]} open={open}>
      <div className={frame.switch}>
        <label htmlFor={id}>{t(WITH[band])}</label>
        <Switch
          id={id}
          size="small"
          checked={is}
          onChange={(next) =>
            place.set(
              ['pageSettings', band],
              next
                ? {
                    items: band.toLowerCase().endsWith('footer')
                      ? ['PageNum', 'Total']
                      : [{ key: 'Text', value: t('paper.headerText') }],
                  }
                : undefined,
            )
          }
        />
      </div>
      {is && (
        <Below path={['pageSettings', band]}>
          <Items />
          {(band === 'header' || band === 'footer') && (
            <PickField
              path={['pages']}
              label={t('paper.onPages')}
              fallback="every"
              options={(['every', 'first'] as const).map((value) => ({ value, label: t(`paper.pagings.${value}`) }))}
            />
          )}
          <div className={frame.pair}>
            <PickField
              path={['align']}
              brief
              label={t('paper.horizontal')}
              fallback="center"
              options={(['left', 'center', 'right', 'between'] as const).map((value) => ({
                value,
                label: t(`paper.aligns.${value}`),
              }))}
            />
            <NumberField
              path={['fontSize']}
              label={t('paper.fontSize')}
              min={4}
              max={200}
              placeholder="9"
              unit={t('paper.points')}
            />
          </div>
          <NumberField path={['top']} label={t('paper.fromEdge')} placeholder="10" unit={t('paper.mm')} />
        </Below>
      )}
    </Section>
  )
}

function Items() {
  const t = useText()
  const { of, set } = useFieldPlace()
  const list = Array.isArray(of.items) ? (of.items as unknown[]) : []
  const write = (next: unknown[]) => set(['items'], next)
  const keyOf = (one: unknown) => String(typeof one === 'string' ? one : (one as Bag).key)
  return (
    <>
      <ol className={styles.columns}>
        {list.map((one, i) => {
          const key = keyOf(one)
          const name = (ITEMS as readonly string[]).includes(key) ? t(`paper.items.${key as Item}`) : key
          return (
            <Entry
              key={`${key}${i}`}
              name={name}
              first={i === 0}
              last={i === list.length - 1}
              onMove={(by) => {
                const next = [...list]
                next.splice(i + by, 0, ...next.splice(i, 1))
                write(next)
              }}
              onRemove={() => write(list.filter((_, at) => at !== i))}
            >
              <Below
                path={['items', i]}
                of={isBag(one) ? one : {}}
                onSet={(next) => {
                  const full = { key, ...next }
                  const bare = Object.keys(full).length === 1 && key !== 'Text'
                  write(list.map((old, at) => (at === i ? (bare ? key : full) : old)))
                }}
              >
                <div className={frame.fields}>
                  <TextField
                    path={['value']}
                    label={t('paper.textZh')}
                    {...(key !== 'Text' && { hint: t('paper.valueHint', { mark: '{value}' }) })}
                  />
                  <TextField path={['value_i18n', 'en']} label={t('paper.textEn')} />
                </div>
              </Below>
            </Entry>
          )
        })}
      </ol>
      {list.length < 10 && (
        <Row label={t('paper.addItem')}>
          {(id) => (
            <Choice<string>
              id={id}
              value={null}
              placeholder={t('design.choose')}
              options={ITEMS.map((value) => ({ value, label: t(`paper.items.${value}`) }))}
              onChange={(next) =>
                next && write([...list, next === 'Text' ? { key: next, value: t('paper.headerText') } : next])
              }
            />
          )}
        </Row>
      )}
    </>
  )
}

function Background({ design }: { design: PrintDesign }) {
  const t = useText()
  const place = useFieldPlace()
  const settings = isBag(place.of.pageSettings) ? place.of.pageSettings : {}
  const is = isBag(settings.background)
  return (
    <Section title={t('paper.sections.background')} keys={['pageSettings/background']} open={is}>
      <FileField design={design} path={['pageSettings', 'background', 'picUrl']} />
      {is && (
        <SwitchField
          path={['pageSettings', 'background', 'printed']}
          label={t('paper.printed')}
          hint={t('paper.printedHint')}
        />
      )}
      {is && (
        <Button size="small" onClick={() => place.set(['pageSettings', 'background'], undefined)}>
          {t('paper.noBackground')}
        </Button>
      )}
    </Section>
  )
}
