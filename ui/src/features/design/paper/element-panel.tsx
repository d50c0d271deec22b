import { Radio } from 'antd'
import { Choice } from '@/components/choice'
import { useText } from '@/sdk/use-text'
import frame from '../design.module.css'
import {
  Below,
  ExpressionField,
  NumberField,
  type Option,
  PickField,
  Row,
  SwitchField,
  TextField,
  useFieldPlace,
} from '../shared/fields'
import { isBag } from '../shared/json'
import { Section } from '../shared/section'
import type { PrintDesign, PrintModel, PrintProperty } from './api'
import { type ColumnChoice, ColumnsField, FormatField } from './columns-field'
import { sheetColumns } from './elements'
import styles from './paper.module.css'
import { StyleFields } from './style-fields'
import { boxOf, type Element } from './template'
import type { PaperWords } from './words'

interface Props {
  elements: Element[]
  model: PrintModel | undefined
  design: PrintDesign
  words: PaperWords
}

/** The properties of what is chosen: of one element all, of several what they have in common. */
export function ElementPanel(props: Props) {
  const [first, ...more] = props.elements
  if (!first) return null
  const type = more.every((one) => one.eleType === first.eleType) ? first.eleType : null
  return (
    <>
      <Place element={first} several={more.length > 0} />
      {type && <Of {...props} element={first} several={more.length > 0} />}
      <Condition />
    </>
  )
}

function Place({ element, several }: { element: Element; several: boolean }) {
  const t = useText()
  const mm = t('paper.mm')
  const usual = several ? '' : String(boxOf(element).height)
  return (
    <Section title={t('paper.sections.place')} keys={['left', 'top', 'widthValue', 'heightValue']} open>
      <div className={frame.pair}>
        <NumberField path={['left']} label={t('paper.left')} max={2000} unit={mm} />
        <NumberField path={['top']} label={t('paper.top')} max={2000} unit={mm} />
      </div>
      <div className={frame.pair}>
        <NumberField path={['widthValue']} label={t('paper.width')} max={2000} unit={mm} />
        <NumberField path={['heightValue']} label={t('paper.height')} max={2000} unit={mm} placeholder={usual} />
      </div>
    </Section>
  )
}

function Condition() {
  const t = useText()
  return (
    <Section title={t('paper.sections.condition')} keys={['displayFormula']}>
      <ExpressionField path={['displayFormula']} label={t('paper.shownWhere')} hint={t('paper.conditionHint')} />
    </Section>
  )
}

type OfProps = Props & { element: Element; several: boolean }

function Of(props: OfProps) {
  const t = useText()
  switch (props.element.eleType) {
    case 'column':
      return <Column {...props} />
    case 'text':
      return <Text {...props} />
    case 'sheet':
      return <Sheet {...props} />
    case 'workflowLog':
      return <Log {...props} />
    case 'picture':
      return <Picture {...props} />
    case 'line':
    case 'rectangle':
      return (
        <Section
          title={t('paper.sections.look')}
          keys={['borderType', 'borderWidth', 'borderColor', 'fillColor', 'radius']}
          open
        >
          {props.element.eleType === 'rectangle' && (
            <NumberField path={['radius']} label={t('paper.radius')} placeholder="0" unit={t('paper.mm')} />
          )}
          <StyleFields border="solid" text={false} fill={props.element.eleType === 'rectangle'} />
        </Section>
      )
    case 'barcode':
      return <Barcode {...props} />
    case 'qrCode':
      return <QrCode {...props} />
    case 'signature':
      return <Signature {...props} />
  }
}

const optionsOf = (properties: PrintProperty[], words: PaperWords): Option[] =>
  properties.map((one) => ({ value: one.code, label: words.label(one.label) }))

/** Properties with one value, of the record and of related ones. */
const single = (model: PrintModel | undefined) => {
  const sheets = new Set(model?.properties.filter((one) => one.sheet).map((one) => one.code))
  return (model?.properties ?? []).filter((one) => !one.sheet && !sheets.has(one.code.split('.')[0] ?? ''))
}

function Overflow() {
  const t = useText()
  return (
    <PickField
      path={['textAreaType']}
      label={t('paper.overflow')}
      fallback="grow"
      options={(['grow', 'cut', 'shrink'] as const).map((value) => ({ value, label: t(`paper.overflows.${value}`) }))}
    />
  )
}

function Column({ model, words, element, several }: OfProps) {
  const t = useText()
  const property = model?.properties.find((one) => one.code === element.propertyCode)
  return (
    <>
      <Section title={t('paper.sections.content')} keys={['propertyCode', 'displayFormat', 'textAreaType']} open>
        {!several && (
          <PickField
            path={['propertyCode']}
            label={t('paper.property')}
            needed
            options={optionsOf(single(model), words)}
          />
        )}
        {!several && property && property.formats.length > 0 && <FormatField formats={property.formats} />}
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

/** Puts a property in braces behind a text. */
function Insert({ model, words, path }: { model: PrintModel | undefined; words: PaperWords; path: string }) {
  const t = useText()
  const { of, set } = useFieldPlace()
  return (
    <Row label={t('paper.insert')}>
      {(id) => (
        <Choice<string>
          id={id}
          value={null}
          showSearch={{ optionFilterProp: 'label' }}
          placeholder={t('design.choose')}
          options={optionsOf(single(model), words)}
          onChange={(next) => next && set([path], `${typeof of[path] === 'string' ? of[path] : ''}{${next}}`)}
        />
      )}
    </Row>
  )
}

function Text({ model, words, several }: OfProps) {
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

function TableLook() {
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

function Sheet({ model, words, element, several }: OfProps) {
  const t = useText()
  const code = String(element.propertyCode)
  const list =
    typeof element.queryCode === 'string' ? model?.lists.find((one) => one.queryCode === element.queryCode) : null
  const choices: ColumnChoice[] =
    list === null
      ? (model ? sheetColumns(model, code) : []).map((one) => ({
          code: one.code.slice(code.length + 1),
          name: words.label(one.label),
          formats: one.formats,
          sums: one.sums,
        }))
      : (list?.properties ?? [])
          .filter((one) => !one.sheet && !one.code.includes('.'))
          .map((one) => ({ code: one.code, name: words.label(one.label), formats: one.formats, sums: one.sums }))
  const sheets = (model?.properties ?? []).filter((one) => one.sheet)
  const summed = Array.isArray(element.columns) && element.columns.some((one: unknown) => isBag(one) && one.sumType)
  return (
    <>
      {!several && (
        <Section
          title={t('paper.sections.content')}
          keys={['propertyCode', 'queryCode', 'columns', 'condition', 'groupBy']}
          open
        >
          {list === null ? (
            <PickField path={['propertyCode']} label={t('paper.sheet')} needed options={optionsOf(sheets, words)} />
          ) : (
            <p className={styles.hint}>
              {t('paper.fromList', { name: list ? words.label(list.label) : String(element.queryCode) })}
            </p>
          )}
          <ColumnsField name="propertyCode" choices={choices} />
          <PickField
            path={['groupBy']}
            label={t('paper.groupBy')}
            options={choices.map((one) => ({ value: one.code, label: one.name }))}
          />
          <ExpressionField path={['condition']} label={t('paper.rowsWhere')} />
        </Section>
      )}
      <Section title={t('paper.sections.figures')} keys={['rowOrdinal', 'minRows', 'carried']} open>
        <SwitchField path={['rowOrdinal']} label={t('paper.rowOrdinal')} />
        <NumberField path={['minRows']} label={t('paper.minRows')} max={1000} placeholder="0" />
        <SwitchField path={['carried']} label={t('paper.carried')} {...(!summed && { hint: t('paper.carriedHint') })} />
      </Section>
      <TableLook />
    </>
  )
}

const LOG = [
  'activityName',
  'receiveTime',
  'finishTime',
  'usedTime',
  'name',
  'operating',
  'comment',
  'signature',
] as const

function Log({ model, words, several }: OfProps) {
  const t = useText()
  return (
    <>
      {!several && (
        <Section title={t('paper.sections.content')} keys={['workflowCode', 'columns']} open>
          <PickField
            path={['workflowCode']}
            label={t('paper.workflow')}
            options={(model?.workflows ?? []).map((one) => ({ value: one.code, label: words.label(one.label) }))}
          />
          <ColumnsField
            name="column"
            usual={[...LOG]}
            choices={LOG.map((code) => ({ code, name: t(`paper.log.${code}`), formats: [], sums: [] }))}
          />
        </Section>
      )}
      <TableLook />
    </>
  )
}

/** Sets one key of several that cannot be beside each other. */
function useEither(keys: string[]) {
  const { of, set } = useFieldPlace()
  return (chosen: string, value: unknown) => {
    const next = { ...of }
    for (const key of keys) if (key !== chosen || value === undefined) delete next[key]
    set([], value === undefined ? next : { ...next, [chosen]: value })
  }
}

function Picture({ model, words, design, several }: OfProps) {
  const t = useText()
  const { of } = useFieldPlace()
  const either = useEither(['propertyCode', 'picUrl'])
  const files = single(model).filter((one) => one.files)
  const own = typeof of.picUrl === 'string'
  return (
    <Section title={t('paper.sections.content')} keys={['propertyCode', 'picUrl', 'fit']} open>
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
    </Section>
  )
}

/** A picture beside the templates, by its name. */
export function FileField({ design, path = ['picUrl'] }: { design: PrintDesign; path?: string[] }) {
  const t = useText()
  if (design.pictures.length === 0)
    return <TextField path={path} label={t('paper.file')} hint={t('paper.fileHint')} code />
  return (
    <PickField
      path={path}
      label={t('paper.file')}
      hint={t('paper.fileHint')}
      options={design.pictures.map((value) => ({ value, label: value }))}
    />
  )
}

function Barcode({ model, words, several }: OfProps) {
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

const CODES = ['record', 'verification', 'propertyCode', 'text'] as const

function QrCode({ model, words, design, several }: OfProps) {
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
          {(design.pictures.length > 0 || typeof of.picUrl === 'string') && <FileField design={design} />}
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

function Signature({ model, words, several }: OfProps) {
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
