import type { PrintList, PrintModel, PrintProperty } from './api'
import { addable, widths } from './table-columns'
import type { Element, ElementType } from './template'

// What new elements are like. They say no more than they have to: the rest is as the format has it by default.

/** Something of the palette. */
export type Piece =
  | { property: PrintProperty }
  | { list: PrintList }
  | { type: Exclude<ElementType, 'column' | 'sheet'> }

const column = (propertyCode: string): Element => ({
  eleType: 'column',
  left: 0,
  top: 0,
  widthValue: 88,
  heightValue: 8,
  propertyCode,
  leftKey: { widthValue: 26, borderType: 'solid', fillColor: '#f3f5f8' },
  rightValue: { borderType: 'solid' },
})

/** The columns of a sub-table that print well together: no more than there is room for. */
const MOST_COLUMNS = 8

export function sheetColumns(model: PrintModel, sheet: string): PrintProperty[] {
  return model.properties.filter((one) => one.code.startsWith(`${sheet}.`) && !one.sheet && !one.files)
}

/** Columns of a list whose records point to the one that is printed: what it says itself, without the relation, which is the same in all. */
export function listColumns(list: PrintList): PrintProperty[] {
  return list.properties.filter(
    (one) => !one.sheet && !one.files && !one.system && !one.code.includes('.') && one.code !== list.propertyCode,
  )
}

/** Columns with what their types and heads ask for, as those of a new template: widths, and totals of what can be added. */
export function tableColumns(all: PrintProperty[], room: number, codeOf: (one: PrintProperty) => string) {
  const shown = all.slice(0, MOST_COLUMNS)
  const wide = widths(shown, room)
  return shown.map((one, i) => {
    const widthValue = wide[i]
    return {
      propertyCode: codeOf(one),
      ...(widthValue && { widthValue }),
      ...(addable(one, all) && { sumType: 'sum' }),
    }
  })
}

const table = (rows: { propertyCode: string; queryCode?: string }, columns: unknown[], inner: number): Element => ({
  eleType: 'sheet',
  left: 0,
  top: 0,
  widthValue: inner,
  heightValue: 15,
  ...rows,
  rowOrdinal: true,
  columns,
  head: { fillColor: '#f3f5f8', bold: true, horizontalAlign: 'center' },
})

/** The element that a piece of the palette becomes, at the left top corner; null where nothing can be made of it. */
export function newElement(piece: Piece, model: PrintModel, inner: number, words: { text: string }): Element | null {
  if ('property' in piece) {
    const { property } = piece
    if (!property.sheet) return { ...column(property.code), widthValue: Math.min(88, inner) }
    const all = sheetColumns(model, property.code)
    const columns = tableColumns(all, inner, (one) => one.code.slice(property.code.length + 1))
    return columns.length > 0 ? table({ propertyCode: property.code }, columns, inner) : null
  }
  if ('list' in piece) {
    const { queryCode, propertyCode } = piece.list
    const columns = tableColumns(listColumns(piece.list), inner, (one) => one.code)
    return columns.length > 0 ? table({ queryCode, propertyCode }, columns, inner) : null
  }
  const at = { left: 0, top: 0 }
  const { type } = piece
  switch (type) {
    case 'text':
      return { eleType: type, ...at, widthValue: Math.min(60, inner), heightValue: 8, text: words.text }
    case 'line':
      return { eleType: type, ...at, widthValue: Math.min(60, inner) }
    case 'rectangle':
      return { eleType: type, ...at, widthValue: 40, heightValue: 20 }
    case 'picture': {
      const files = model.properties.find((one) => one.files && !one.code.includes('.'))
      return {
        eleType: type,
        ...at,
        widthValue: 40,
        heightValue: 30,
        ...(files ? { propertyCode: files.code } : { picUrl: '' }),
      }
    }
    case 'barcode': {
      const number = model.properties.find((one) => one.code === 'sequenceNo') ?? model.properties[0]
      return { eleType: type, ...at, widthValue: 50, heightValue: 15, propertyCode: number?.code ?? '' }
    }
    case 'qrCode':
      return { eleType: type, ...at, widthValue: 20, heightValue: 20 }
    case 'workflowLog':
      return { eleType: type, ...at, widthValue: inner, heightValue: 15 }
    case 'signature': {
      const [node] = model.nodes
      const person = model.properties.find((one) => one.person && !one.code.includes('.'))
      return {
        eleType: type,
        ...at,
        widthValue: 50,
        heightValue: 15,
        ...(node ? { node: node.code } : { propertyCode: person?.code ?? '' }),
      }
    }
  }
}
