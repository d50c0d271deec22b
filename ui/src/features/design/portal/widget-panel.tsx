import { Button, InputNumber } from 'antd'
import { Choice } from '@/components/choice'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import frame from '../design.module.css'
import { Below, ExpressionField, FieldsOf, Row, TextField } from '../shared/fields'
import { type Bag, isBag, type Path } from '../shared/json'
import { at, type Problem } from '../shared/problems'
import { Section } from '../shared/section'
import { Source } from '../shared/source'
import type { WidgetType } from './api'
import { useDesigning } from './context'
import { SchemaFields } from './fields/schema-fields'
import { type Box, COLUMNS } from './grid'
import { everyWidget, isBelow, mayHold, type Page, sameWay, type Way, type Widget } from './page'
import styles from './portal.module.css'
import type { PortalProblem } from './problems'
import { fieldsOf, optionsSchema } from './schema'
import type { PortalWords } from './words'

interface Props {
  page: Page
  widget: Widget
  way: Way
  box: Box | undefined
  types: ReadonlyMap<string, WidgetType>
  words: PortalWords
  problems: readonly PortalProblem[]
  set: (path: Path, value: unknown) => void
  onBox: (to: Partial<Box>) => void
  onMoveInto: (into: Way) => void
  onRemove: () => void
  onDuplicate: () => void
}

const isAnyWidget = (value: unknown): value is Widget => isBag(value) && typeof value.type === 'string'

/** Keys that widgets have of any type. */
const COMMON = ['code', 'visible', 'read', 'style']

/** The properties of a widget, from the schema of its type. */
export function WidgetPanel(props: Props) {
  const { page, widget, way, types, words, problems, set } = props
  const t = useText()
  const { root } = useDesigning()
  const own: Problem[] = problems.filter((one) => one.way !== null && sameWay(one.way, way))
  const schema = optionsSchema(root, widget.type)
  const known = new Set([
    ...(schema ? fieldsOf(root, schema, widget).map(({ key }) => key) : []),
    ...COMMON,
    ...['type', 'description', 'x', 'y', 'width', 'height', 'widgets'],
  ])
  const loose = own.filter((one) => one.path.length === 0 || !known.has(one.path[0] ?? ''))
  return (
    <FieldsOf value={{ of: widget, problems: own, set }}>
      {loose.map((one) => (
        <p key={one.code + one.path.join()} className={styles.panelNote} data-severity={one.severity} role="note">
          {words.locale === 'zh' ? one.zh : one.en}
        </p>
      ))}
      {schema ? (
        <div className={frame.fields}>
          <SchemaFields of={schema} />
          {widget.widgets && <p className={styles.note}>{t('portalDesign.holdsOthers')}</p>}
        </div>
      ) : (
        <div className={frame.fields}>
          <p className={styles.note}>{t('portalDesign.unknownType', { name: widget.type })}</p>
          <Source
            document={widget}
            draws={isAnyWidget}
            refusal={t('portalDesign.notAPage')}
            readOnly={false}
            onChange={(next) => set([], next)}
          />
        </div>
      )}
      <Section title={t('portalDesign.look')} keys={['style']}>
        <Below path={['style']}>
          <SchemaFields of={styleSchema(root)} />
        </Below>
      </Section>
      <Section title={t('portalDesign.place')} keys={['x', 'y', 'width', 'height']} open>
        {props.box && way.length === 1 ? (
          <PlaceFields box={props.box} onBox={props.onBox} />
        ) : (
          <HeightField {...props} />
        )}
        <HolderField page={page} widget={widget} way={way} types={types} words={words} onMoveInto={props.onMoveInto} />
      </Section>
      <Section title={t('portalDesign.readers')} keys={['visible', 'read']}>
        <SchemaFields of={widgetSchema(root)} only={['read']} />
        <ExpressionField path={['visible']} label={t('portalDesign.visible')} hint={t('portalDesign.visibleHint')} />
      </Section>
      <Section title={t('portalDesign.more')} keys={['code', 'description']}>
        <TextField path={['code']} label={t('design.code')} hint={t('portalDesign.codeHint')} code />
        <TextField path={['description']} label={t('portalDesign.description')} area />
      </Section>
      <div className={styles.panelButtons}>
        <Button icon={<Icon name="copy" size={14} />} onClick={props.onDuplicate}>
          {t('portalDesign.duplicate')}
        </Button>
        <Button danger icon={<Icon name="trash" size={14} />} onClick={props.onRemove}>
          {t('portalDesign.remove')}
        </Button>
      </div>
    </FieldsOf>
  )
}

const definition = (root: Bag, name: string) => (isBag(root.$defs) && isBag(root.$defs[name]) ? root.$defs[name] : {})
export const styleSchema = (root: Bag) => definition(root, 'style')
const widgetSchema = (root: Bag) => definition(root, 'widget')

const BOX = [
  ['x', 'column', 0, COLUMNS - 1],
  ['y', 'row', 0, 10_000],
  ['width', 'columns', 1, COLUMNS],
  ['height', 'rows', 1, 1000],
] as const

/** Where the widget is on the grid, and how large. */
function PlaceFields({ box, onBox }: { box: Box; onBox: (to: Partial<Box>) => void }) {
  const t = useText()
  return (
    <div className={styles.four}>
      {BOX.map(([key, name, min, max]) => (
        <Row key={key} label={t(`portalDesign.box.${name}`)} path={[key]}>
          {(id) => (
            <InputNumber
              id={id}
              className={frame.number ?? ''}
              min={key === 'x' || key === 'y' ? min + 1 : min}
              max={key === 'x' || key === 'y' ? max + 1 : max}
              precision={0}
              value={key === 'x' || key === 'y' ? box[key] + 1 : box[key]}
              onChange={(next) => next !== null && onBox({ [key]: key === 'x' || key === 'y' ? next - 1 : next })}
            />
          )}
        </Row>
      ))}
    </div>
  )
}

/** In a layout, widgets follow each other: they have a height only. */
function HeightField({ widget, set }: Props) {
  const t = useText()
  return (
    <Row label={t('portalDesign.box.rows')} path={['height']}>
      {(id) => (
        <InputNumber
          id={id}
          className={frame.number ?? ''}
          min={1}
          max={1000}
          precision={0}
          value={typeof widget.height === 'number' ? widget.height : null}
          placeholder={t('portalDesign.usual')}
          onChange={(next) => set(['height'], next ?? undefined)}
        />
      )}
    </Row>
  )
}

type HolderProps = Pick<Props, 'page' | 'widget' | 'way' | 'types' | 'words' | 'onMoveInto'>

/** What holds the widget: the page, or a layout. */
function HolderField({ page, widget, way, types, words, onMoveInto }: HolderProps) {
  const t = useText()
  const type = types.get(widget.type)
  const now = way.slice(0, -1)
  const holders = everyWidget(page).filter(
    (one) => !isBelow(one.way, way) && type && mayHold(types.get(one.widget.type) ?? undefined, type),
  )
  const onPage = type ? mayHold(null, type) : true
  const options = [
    ...(onPage ? [{ value: '', label: t('portalDesign.thePage') }] : []),
    ...holders.map((one) => ({ value: one.way.join('.'), label: words.widget(one.widget) })),
  ]
  if (options.length < 2) return null
  return (
    <Row label={t('portalDesign.holder')}>
      {(id) => (
        <Choice<string>
          id={id}
          value={now.join('.')}
          options={options}
          onChange={(next) => onMoveInto(next ? next.split('.').map(Number) : [])}
        />
      )}
    </Row>
  )
}

/** What the compiler says of the page itself. */
export const ofPage = (problems: readonly PortalProblem[], key?: string) => {
  const own: Problem[] = problems.filter((one) => one.way === null)
  return key === undefined ? own : at(own, [key])
}
