import type { Label, PrintForm, PrintModel, PrintProperty } from './api'
import { sheetColumns, tableColumns } from './elements'
import type { Element, Template } from './template'

/** The width between the margins of A4. */
const WIDE = 176
const HALF = WIDE / 2
const ROW = 8
const KEY = 26
const KEY_STYLE = { widthValue: KEY, borderType: 'solid', fillColor: '#f3f5f8' }

/** Types whose values need the whole width. */
const LONG = [
  'LongText',
  'Attachment',
  'Address',
  'Checkbox',
  'DropdownMulti',
  'StaffMulti',
  'DeptMulti',
  'StaffDeptMix',
  'ApprovalOpinion',
]

/** Braces in a text would name properties. */
const plain = (text: string) => text.replace(/[{}]/g, '')

const i18n = (label: Label, key: string) => (label.i18n?.en ? { [`${key}_i18n`]: { en: plain(label.i18n.en) } } : {})

interface Names {
  zh: string
  en: string
}

interface Options {
  model: PrintModel
  form: PrintForm
  /** Keep the template to this form. */
  only: boolean
  names: Names
}

/** A template of a form on A4 that prints well at once: a title, the fields in two columns, sub-tables and the log of workflows in full width. */
export function arrange({ model, form, only, names }: Options): Template {
  const elements: Element[] = [
    {
      eleType: 'text',
      left: 0,
      top: 0,
      widthValue: WIDE,
      heightValue: 12,
      text: plain(names.zh),
      ...(names.en && { text_i18n: { en: plain(names.en) } }),
      fontSize: 16,
      bold: true,
      horizontalAlign: 'center',
    },
  ]
  let top = 16
  let half: Element | null = null // of a row whose right half is free
  const by = new Map(model.properties.map((one) => [one.code, one]))

  /** A field whose row has nothing beside it takes all of it. */
  const close = () => {
    if (half) half.widthValue = WIDE
    if (half) top += ROW
    half = null
  }
  const field = (property: PrintProperty, label: Label) => {
    const wide = LONG.includes(property.propertyType) || property.opinions || property.files
    if (wide) close()
    const own = label.zh !== '' && label.zh !== property.label.zh
    const one: Element = {
      eleType: 'column',
      left: half ? HALF : 0,
      top,
      widthValue: wide ? WIDE : HALF,
      heightValue: ROW,
      propertyCode: property.code,
      leftKey: own ? { innerTxt: plain(label.zh), ...i18n(label, 'innerTxt'), ...KEY_STYLE } : { ...KEY_STYLE },
      rightValue: { borderType: 'solid' },
    }
    elements.push(one)
    if (wide || half) {
      half = null
      top += ROW
    } else half = one
  }
  const title = (label: Label, space: number) => {
    close()
    top += space
    elements.push({
      eleType: 'text',
      left: 0,
      top,
      widthValue: WIDE,
      heightValue: 7,
      text: plain(label.zh),
      ...i18n(label, 'text'),
      bold: true,
    })
    top += 7
  }
  const sheet = (property: PrintProperty, label: Label) => {
    const columns = sheetColumns(model, property.code)
    if (columns.length === 0) return
    title(label.zh ? label : property.label, 2)
    elements.push({
      eleType: 'sheet',
      left: 0,
      top,
      widthValue: WIDE,
      heightValue: 15,
      propertyCode: property.code,
      rowOrdinal: true,
      minRows: 1,
      columns: tableColumns(columns, WIDE, (one) => one.code.slice(property.code.length + 1)),
      head: { fillColor: '#f3f5f8', bold: true, horizontalAlign: 'center' },
    })
    top += 17
  }

  let named = '' // the title that waits for a field below it
  let waiting: Label | null = null
  for (const { propertyCode, label } of form.items) {
    if (propertyCode === '') {
      waiting = label
      continue
    }
    const property = by.get(propertyCode)
    if (!property) continue
    if (waiting && waiting.zh !== named) {
      if (!property.sheet) title(waiting, 2)
      named = waiting.zh
    }
    waiting = null
    if (property.sheet) {
      close()
      sheet(property, label)
    } else field(property, label)
  }
  close()
  if (model.workflows.length > 0)
    elements.push({ eleType: 'workflowLog', left: 0, top: top + 3, widthValue: WIDE, heightValue: 15 })
  return {
    schemaCode: model.schemaCode,
    ...(only && { sheetCode: form.sheetCode }),
    name: names.zh,
    ...(names.en && { name_i18n: { en: names.en } }),
    pageSettings: {
      size: 'A4',
      footer: {
        items: [
          { key: 'PageNum', value: '第 {value} 页', value_i18n: { en: 'Page {value}' } },
          { key: 'Total', value: '共 {value} 页', value_i18n: { en: 'of {value}' } },
        ],
      },
    },
    pages: [{ elements }],
  }
}
