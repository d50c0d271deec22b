import { type Bag, isBag, numberOf } from '../shared/json'

// The document of a print template as the designer holds it. What the designer does not know stays in it as it is. All lengths are millimeters.

export const TYPES = [
  'column',
  'sheet',
  'text',
  'line',
  'rectangle',
  'picture',
  'barcode',
  'qrCode',
  'workflowLog',
  'signature',
] as const
export type ElementType = (typeof TYPES)[number]

export interface Element extends Bag {
  eleType: ElementType
}

export interface Page extends Bag {
  elements: Element[]
}

export interface Template extends Bag {
  schemaCode: string
  name?: string
  name_i18n?: Record<string, string>
  pages: Page[]
}

/** Whether a document can be drawn: it has pages, and each element has a place and a type that is known. */
export function isTemplate(value: unknown): value is Template {
  if (!isBag(value) || typeof value.schemaCode !== 'string' || !Array.isArray(value.pages) || value.pages.length === 0)
    return false
  return value.pages.every(
    (page: unknown) =>
      isBag(page) &&
      Array.isArray(page.elements) &&
      page.elements.every(
        (one: unknown) =>
          isBag(one) &&
          TYPES.includes(one.eleType as ElementType) &&
          [one.left, one.top, one.widthValue].every((length) => numberOf(length) !== undefined),
      ),
  )
}

/** A place on a template page, from the margins. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** The height of a column or text that says nothing of it. */
const LINE = 7
const HEAD = 8
const BODY = 7

const TABLES: ElementType[] = ['sheet', 'workflowLog']
export const isTable = (element: Element) => TABLES.includes(element.eleType)

/** Where an element is and how large it is drawn. */
export function boxOf(element: Element): Box {
  const width = numberOf(element.widthValue) ?? 0
  const said = numberOf(element.heightValue) ?? 0
  const height = () => {
    switch (element.eleType) {
      case 'line':
        return said
      case 'qrCode':
        return said || width
      case 'sheet':
      case 'workflowLog': {
        const rows = Math.max(1, numberOf(element.minRows) ?? 0)
        return said || (numberOf(element.headHeight) ?? HEAD) + rows * (numberOf(element.bodyHeight) ?? BODY)
      }
      default:
        return said || LINE
    }
  }
  return { left: numberOf(element.left) ?? 0, top: numberOf(element.top) ?? 0, width, height: height() }
}

export const right = (box: Box) => box.left + box.width
export const bottom = (box: Box) => box.top + box.height

/** The smallest box around some. */
export function around(boxes: Box[]): Box {
  const left = Math.min(...boxes.map((box) => box.left))
  const top = Math.min(...boxes.map((box) => box.top))
  return {
    left,
    top,
    width: Math.max(...boxes.map(right)) - left,
    height: Math.max(...boxes.map(bottom)) - top,
  }
}

/** Sizes of paper, upright. */
export const PAPERS: Record<string, [number, number]> = {
  A3: [297, 420],
  A4: [210, 297],
  A5: [148, 210],
  B4: [250, 353],
  B5: [176, 250],
  Letter: [215.9, 279.4],
}

/** What a template has where its document says nothing. */
export const MARGINS = { marginTop: 20, marginBottom: 20, marginLeft: 17, marginRight: 17 }
export const BAND_EDGE = 10
export const BAND_FONT = 9
export const FONT = 10.5

/** How much of the height of a sheet is never used (engine/layout Unprintable). */
const UNPRINTABLE = 12

export interface Setup {
  width: number
  height: number
  left: number
  right: number
  top: number
  bottom: number
  /** The room between the margins. */
  inner: number
  usable: number
}

/** The paper of a template. */
export function setupOf(template: Template): Setup {
  const settings = isBag(template.pageSettings) ? template.pageSettings : {}
  const of = (key: keyof typeof MARGINS) => numberOf(settings[key]) ?? MARGINS[key]
  const size = typeof settings.size === 'string' ? settings.size : 'A4'
  let [width, height] = PAPERS[size] ?? [numberOf(settings.width) ?? 210, numberOf(settings.height) ?? 297]
  if (settings.direction === 'landscape' && size !== 'custom') [width, height] = [height, width]
  const [left, end, bottomMargin] = [of('marginLeft'), of('marginRight'), of('marginBottom')]
  const usable = Math.max(1, Math.min(height - of('marginTop') - bottomMargin, height - UNPRINTABLE))
  return {
    width,
    height,
    left,
    right: end,
    top: Math.max(of('marginTop'), height - bottomMargin - usable),
    bottom: bottomMargin,
    inner: Math.max(1, width - left - end),
    usable,
  }
}

/** The element at a place; undefined where there is none. */
export const elementAt = (template: Template, page: number, at: number): Element | undefined =>
  template.pages[page]?.elements[at]
