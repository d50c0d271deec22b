import type { CSSProperties, ReactNode } from 'react'
import { Icon } from '@/components/icon'
import { useText } from '@/sdk/use-text'
import { type Bag, isBag, numberOf } from '../shared/json'
import styles from './paper.module.css'
import { boxOf, type Element, FONT } from './template'
import type { PaperWords } from './words'

/** Millimeters of a point. */
const POINT = 25.4 / 72

const bag = (value: unknown): Bag => (isBag(value) ? value : {})
const color = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

interface Pen {
  width: number
  kind: string
  color: string
}

/** The line of a border; undefined = there is none. */
function border(of: Bag, otherwise: string, scale: number): Pen | undefined {
  const kind = typeof of.borderType === 'string' ? of.borderType : otherwise
  if (kind === 'none') return undefined
  return {
    width: Math.max((numberOf(of.borderWidth) ?? 0.5) * POINT * scale, 0.75),
    kind,
    color: color(of.borderColor) ?? '#000',
  }
}

const AXIS = {
  left: 'flex-start',
  center: 'center',
  right: 'flex-end',
  top: 'flex-start',
  middle: 'center',
  bottom: 'flex-end',
}
const axis = (word: unknown, otherwise: keyof typeof AXIS) =>
  AXIS[(typeof word === 'string' ? word : otherwise) as keyof typeof AXIS] ?? AXIS[otherwise]

/** Half of a line is within its box and half around it, so that boxes beside each other share one. */
const edge = ({ width, kind, color: of }: Pen): CSSProperties =>
  kind === 'solid'
    ? { boxShadow: `0 0 0 ${width / 2}px ${of}, inset 0 0 0 ${width / 2}px ${of}` }
    : { outline: `${width}px ${kind} ${of}`, outlineOffset: -width / 2 }

/** The look of a text and its box. */
export function styleOf(
  of: Bag,
  scale: number,
  more: { border?: string; vertical?: 'top' | 'middle' } = {},
): CSSProperties {
  const line = border(of, more.border ?? 'none', scale)
  return {
    ...(line && edge(line)),
    background: color(of.fillColor),
    color: color(of.fontColor),
    fontSize: (numberOf(of.fontSize) ?? FONT) * POINT * scale,
    fontWeight: of.bold === true ? 700 : undefined,
    fontStyle: of.italic === true ? 'italic' : undefined,
    textDecoration: of.underline === true ? 'underline' : undefined,
    justifyContent: axis(of.horizontalAlign, 'left'),
    alignItems: axis(of.verticalAlign, more.vertical ?? 'middle'),
    textAlign: (of.horizontalAlign as 'left' | 'center' | 'right' | undefined) ?? 'left',
    paddingInline: scale,
  }
}

interface Props {
  element: Element
  scale: number
  words: PaperWords
  /** Pictures of the last preview by their names. */
  images: Record<string, string>
}

function Cell({ style, value, children }: { style: CSSProperties; value?: true; children: ReactNode }) {
  return (
    <span className={styles.cell} style={style}>
      <span className={value ? styles.value : undefined}>{children}</span>
    </span>
  )
}

function Column({ element, scale, words }: Props) {
  const [key, value] = [bag(element.leftKey), bag(element.rightValue)]
  const width = boxOf(element).width
  const rest = numberOf(value.widthValue)
  const said = numberOf(key.widthValue) || (rest ? width - rest : width / 3)
  const hidden = key.innerTxt === ''
  const name = typeof key.innerTxt === 'string' ? words.text(key, 'innerTxt') : words.property(element.propertyCode)
  return (
    <>
      {!hidden && (
        <Cell style={{ ...styleOf(key, scale), width: Math.min(said, width) * scale, flex: 'none' }}>{name}</Cell>
      )}
      <Cell style={{ ...styleOf(value, scale), flex: 1 }} value>
        {words.property(element.propertyCode)}
      </Cell>
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
const SHARES = [14, 13, 13, 10, 11, 9, 18, 12]

interface DrawnColumn {
  head: string
  value: string
  width: number | undefined
  align: unknown
}

function columnsOf(element: Element, words: PaperWords, log: (code: string) => string, ordinal: string): DrawnColumn[] {
  const list = Array.isArray(element.columns) ? (element.columns as unknown[]) : []
  if (element.eleType === 'workflowLog') {
    const width = boxOf(element).width
    if (list.length === 0)
      return LOG.map((code, i) => ({
        head: log(code),
        value: '',
        width: ((SHARES[i] ?? 12) * width) / 100,
        align: undefined,
      }))
    return list.map((one) => {
      const of = bag(one)
      const code = typeof one === 'string' ? one : String(of.column)
      return { head: words.text(of, 'name') || log(code), value: '', width: numberOf(of.widthValue), align: undefined }
    })
  }
  const prefix = element.queryCode ? '' : `${String(element.propertyCode)}.`
  const columns = list.map((one) => {
    const of = bag(one)
    const code = typeof one === 'string' ? one : String(of.propertyCode)
    const name =
      words
        .property(prefix + code)
        .split(' · ')
        .at(-1) ?? code
    return {
      head: words.text(of, 'name') || name.replace(prefix, ''),
      value: name.replace(prefix, ''),
      width: numberOf(of.widthValue),
      align: of.horizontalAlign,
    }
  })
  return element.rowOrdinal === true ? [{ head: ordinal, value: '1', width: 12, align: 'center' }, ...columns] : columns
}

function Table({ element, scale, words }: Props) {
  const t = useText()
  const columns = columnsOf(
    element,
    words,
    (code) => (LOG.includes(code as never) ? t(`paper.log.${code as (typeof LOG)[number]}`) : code),
    t('paper.ordinal'),
  )
  const head = isBag(element.head) ? element.head : { bold: true, horizontalAlign: 'center' }
  const row = (cells: 'head' | 'value', style: Bag, height: number) => (
    <span className={styles.tableRow} style={{ height: height * scale }}>
      {columns.map((one, i) => (
        <Cell
          key={i}
          {...(cells === 'value' && { value: true as const })}
          style={{
            ...styleOf({ ...style, ...(cells === 'value' && one.align ? { horizontalAlign: one.align } : {}) }, scale, {
              border: 'solid',
            }),
            ...(one.width === undefined ? { flex: 1 } : { width: one.width * scale, flex: 'none' }),
          }}
        >
          {one[cells]}
        </Cell>
      ))}
    </span>
  )
  return (
    <span className={styles.table}>
      {row('head', { horizontalAlign: 'center', ...head }, numberOf(element.headHeight) ?? 8)}
      {row('value', bag(element.body), numberOf(element.bodyHeight) ?? 7)}
    </span>
  )
}

function Line({ element, scale }: Props) {
  const { width, height } = boxOf(element)
  const kind = typeof element.borderType === 'string' ? element.borderType : 'solid'
  const stroke = Math.max((numberOf(element.borderWidth) ?? 0.5) * POINT * scale, 0.75)
  const dashes = { dashed: `${4 * stroke} ${2 * stroke}`, dotted: `${stroke} ${2 * stroke}` }[kind]
  if (kind === 'none') return null
  return (
    <svg className={styles.line} width={width * scale + 2} height={height * scale + 2} aria-hidden="true">
      <line
        x1={1}
        y1={1}
        x2={1 + width * scale}
        y2={1 + height * scale}
        stroke={color(element.borderColor) ?? '#000'}
        strokeWidth={stroke}
        {...(dashes && { strokeDasharray: dashes })}
      />
    </svg>
  )
}

function Signature({ element, scale, words }: Props) {
  const key = bag(element.leftKey)
  const width = boxOf(element).width
  const name = typeof key.innerTxt === 'string' ? words.text(key, 'innerTxt') : words.property(element.propertyCode)
  return (
    <>
      {isBag(element.leftKey) && key.innerTxt !== '' && (
        <Cell style={{ ...styleOf(key, scale), width: (numberOf(key.widthValue) || width / 3) * scale, flex: 'none' }}>
          {name}
        </Cell>
      )}
      <Cell style={{ ...styleOf(element, scale), flex: 1 }} value>
        <Icon name="edit" size={Math.max(10, 4 * scale)} />
      </Cell>
    </>
  )
}

/** How an element looks while a template is designed: its own look, with the names of properties in place of values. */
export function Drawn(props: Props) {
  const { element, scale, words, images } = props
  switch (element.eleType) {
    case 'column':
      return <Column {...props} />
    case 'text':
      return (
        <Cell style={{ ...styleOf(element, scale), flex: 1, paddingInline: element.borderType ? scale : 0 }}>
          {words.filled(words.text(element, 'text'))}
        </Cell>
      )
    case 'sheet':
    case 'workflowLog':
      return <Table {...props} />
    case 'line':
      return <Line {...props} />
    case 'rectangle': {
      const pen = border(element, 'solid', scale)
      return (
        <span
          className={styles.fill}
          style={{
            ...(pen && { border: `${pen.width}px ${pen.kind} ${pen.color}` }),
            background: color(element.fillColor),
            borderRadius: (numberOf(element.radius) ?? 0) * scale,
          }}
        />
      )
    }
    case 'picture': {
      const src =
        typeof element.picUrl === 'string'
          ? (images[`template:${element.picUrl}`] ?? images[`file:${element.picUrl}`])
          : undefined
      if (src)
        return (
          <img
            className={styles.image}
            style={{ objectFit: (element.fit as 'contain') ?? 'contain' }}
            src={src}
            alt=""
            draggable={false}
          />
        )
      return (
        <span className={styles.stand}>
          <Icon name="camera" size={16} />
          {element.picUrl ? words.picture(element.picUrl) : words.property(element.propertyCode)}
        </span>
      )
    }
    case 'barcode':
      return <span className={styles.bars} />
    case 'qrCode':
      return (
        <span className={styles.stand}>
          <Icon name="qrCode" size={Math.max(16, 0.6 * boxOf(element).height * scale)} />
        </span>
      )
    case 'signature':
      return <Signature {...props} />
  }
}
