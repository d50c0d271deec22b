import { describe, expect, it } from 'vitest'
import { sampleModel } from '@/testing/print-model'
import { step } from '../shared/history'
import { readJson, writeJson } from '../shared/json'
import { arrange } from './arrange'
import { bandOf } from './band'
import {
  add,
  addPage,
  align,
  copyPage,
  distribute,
  duplicate,
  freePlace,
  grow,
  move,
  movePage,
  paste,
  place,
  remove,
  removePage,
  reorder,
  resize,
  sameSize,
  setElements,
  setTemplate,
  still,
  within,
} from './edit'
import { newElement } from './elements'
import { type Guide, snapMove, snapResize, ticksOf } from './snap'
import { boxOf, type Element, isTemplate, setupOf, type Template, TYPES } from './template'

const WRITTEN = `{
  "schemaCode": "contract",
  "x-own": {"z": 1.50, "a": 12345678901234567890},
  "pageSettings": {"marginLeft": 20.0, "header": {"items": ["PageNum"]}},
  "pages": [
    {"elements": [
      {"eleType": "text", "left": 0, "top": 0, "widthValue": 60, "text": "甲", "zz": true, "aa": false},
      {"eleType": "column", "left": 10.50, "top": 20, "widthValue": 40, "heightValue": 8, "propertyCode": "name"},
      {"eleType": "qrCode", "left": 100, "top": 30, "widthValue": 20},
      {"eleType": "line", "left": 0, "top": 50, "widthValue": 60}
    ]},
    {"elements": [
      {
        "eleType": "sheet",
        "left": 0,
        "top": 0,
        "widthValue": 100,
        "propertyCode": "payments",
        "columns": ["item", {"propertyCode": "payable", "widthValue": 30, "sumType": "sum"}]
      }
    ]}
  ]
}`

const TEXT = writeJson(readJson(WRITTEN))
const read = () => readJson(WRITTEN) as Template
const boxes = (of: Template, page = 0) => of.pages[page]?.elements.map(boxOf) ?? []
const on = (...at: number[]) => ({ page: 0, at })
const inner = { width: 176, height: 257 }

describe('a template', () => {
  it('is read and written without a change, unknown keys and long numbers too', () => {
    const of = read()
    expect(isTemplate(of)).toBe(true)
    const bare = (text: string) => text.replace(/\s/g, '')
    expect(bare(writeJson(of))).toBe(bare(WRITTEN))
    expect(setupOf(of)).toMatchObject({
      width: 210,
      height: 297,
      left: 20,
      right: 17,
      top: 20,
      inner: 173,
      usable: 257,
    })
    expect(setupOf(setTemplate(of, ['pageSettings', 'direction'], 'landscape'))).toMatchObject({
      width: 297,
      height: 210,
    })
    for (const wrong of [
      null,
      [],
      {},
      { schemaCode: 'a', pages: [] },
      { schemaCode: 'a', pages: [{ elements: [{ eleType: 'text' }] }] },
    ])
      expect(isTemplate(wrong), JSON.stringify(wrong)).toBe(false)
  })

  it('moves elements as far as the margins let them; the others stay the same objects', () => {
    const of = read()
    const next = move(of, on(0, 1), 3, -5)
    expect(boxes(next).slice(0, 2)).toMatchObject([
      { left: 3, top: 0 },
      { left: 13.5, top: 20 },
    ])
    expect(next.pages[0]?.elements[2]).toBe(of.pages[0]?.elements[2])
    expect(next.pages[1]).toBe(of.pages[1])
    expect(Object.keys(next.pages[0]?.elements[0] ?? {})).toEqual([
      'eleType',
      'left',
      'top',
      'widthValue',
      'text',
      'zz',
      'aa',
    ])
    expect(move(of, on(0), 0, 0)).toBe(of)
    expect(writeJson(move(move(of, on(2), 7, 1.1), on(2), -7, -1.1))).toBe(TEXT)
  })

  it('resizes: one, several in their shares, a line that stays thin, a table with its columns', () => {
    const of = read()
    expect(boxes(resize(of, on(1), { left: 10.5, top: 20, width: 80, height: 10 }))[1]).toEqual({
      left: 10.5,
      top: 20,
      width: 80,
      height: 10,
    })
    const two = resize(of, on(0, 1), { left: 0, top: 0, width: 120, height: 56 })
    expect(boxes(two).slice(0, 2)).toMatchObject([
      { width: 120, height: 14 },
      { left: 21, top: 40, width: 80, height: 16 },
    ])
    const line = resize(of, on(3), { left: 0, top: 50, width: 100, height: 1 })
    expect(line.pages[0]?.elements[3]).toEqual({ eleType: 'line', left: 0, top: 50, widthValue: 100 })
    const table = resize(of, { page: 1, at: [0] }, { left: 0, top: 0, width: 150, height: 15 })
    expect(table.pages[1]?.elements[0]?.columns).toEqual([
      'item',
      { propertyCode: 'payable', widthValue: 45, sumType: 'sum' },
    ])
    expect(boxes(grow(of, on(1, 3), 5, 2)).filter((_, i) => i % 2 === 1)).toMatchObject([
      { width: 45, height: 10 },
      { width: 65, height: 0 },
    ])
  })

  it('aligns, distributes and equalizes', () => {
    const of = read()
    expect(boxes(align(of, on(0, 1, 2), 'left', inner)).map((box) => box.left)).toEqual([0, 0, 0, 0])
    expect(boxes(align(of, on(0, 1, 2), 'right', inner)).map((box) => box.left)).toEqual([60, 80, 100, 0])
    expect(boxes(align(of, on(0, 1), 'center', inner)).map((box) => box.left)).toEqual([0, 10, 100, 0])
    expect(boxes(align(of, on(1, 2), 'bottom', inner)).map((box) => box.top)).toEqual([0, 42, 30, 50])
    expect(boxes(align(of, on(1, 2), 'top', inner)).map((box) => box.top)).toEqual([0, 20, 20, 50])
    expect(boxes(align(of, on(1, 2), 'middle', inner)).map((box) => box.top)).toEqual([0, 31, 25, 50])
    expect(boxes(align(of, on(0), 'center', inner))[0]).toMatchObject({ left: 58 })
    expect(boxes(align(of, on(0), 'right', inner))[0]).toMatchObject({ left: 116 })
    // Heights 7, 8 and 20 from 0 to 50: two gaps of 7.5.
    expect(boxes(distribute(of, on(2, 0, 1), 'y')).map((box) => box.top)).toEqual([0, 14.5, 30, 50])
    expect(distribute(of, on(0, 1), 'y')).toBe(of)
    expect(boxes(sameSize(of, on(1, 0, 3), 'width')).map((box) => box.width)).toEqual([40, 40, 20, 40])
    expect(boxes(sameSize(of, on(1, 0, 3), 'height')).map((box) => box.height)).toEqual([8, 8, 20, 0])
  })

  it('brings elements to the front and back, together and by steps', () => {
    const of = read()
    const types = (template: Template) => template.pages[0]?.elements.map((one) => one.eleType[0]).join('')
    expect(types(of)).toBe('tcql')
    const front = reorder(of, on(0, 2), 'front')
    expect([types(front.template), front.chosen.at]).toEqual(['cltq', [2, 3]])
    const forward = reorder(of, on(0, 1), 'forward')
    expect([types(forward.template), forward.chosen.at]).toEqual(['qtcl', [1, 2]])
    const back = reorder(of, on(2), 'backward')
    expect([types(back.template), back.chosen.at]).toEqual(['tqcl', [1]])
    expect(types(reorder(of, on(3), 'back').template)).toBe('ltcq')
    expect(reorder(of, on(3), 'forward').template).toBe(of)
  })

  it('adds, copies and removes; copies lie beside what they are copies of', () => {
    const of = read()
    const twice = duplicate(of, on(2, 1))
    expect(twice.chosen).toEqual(on(4, 5))
    expect(boxes(twice.template).slice(4)).toMatchObject([
      { left: 15.5, top: 25 },
      { left: 105, top: 35 },
    ])
    const thrice = paste(twice.template, 0, [of.pages[0]?.elements[2] as Element])
    expect(boxes(thrice.template)[6]).toMatchObject({ left: 110, top: 40 })
    expect(remove(thrice.template, on(4, 5, 6))).toEqual(of)
    expect(boxes(paste(of, 1, [of.pages[0]?.elements[2] as Element]).template, 1)[1]).toMatchObject({
      left: 100,
      top: 30,
    })
    expect(still(remove(of, on(0, 1)), on(0, 3))).toEqual(on(0))
    expect(within(of, 0, { left: 90, top: 0, width: 100, height: 45 })).toEqual([2])
  })

  it('finds the next free place', () => {
    const empty: Template = { schemaCode: 'a', pages: [{ elements: [] }] }
    expect(freePlace(empty, 0, 88, 176)).toEqual({ left: 0, top: 0 })
    const one = add(empty, 0, [
      { eleType: 'column', left: 0, top: 3, widthValue: 88, heightValue: 8, propertyCode: 'a' },
    ]).template
    expect(freePlace(one, 0, 88, 176)).toMatchObject({ left: 88, top: 3 })
    expect(freePlace(one, 0, 100, 176)).toEqual({ left: 0, top: 13 })
    expect(freePlace(read(), 0, 150, 176)).toEqual({ left: 0, top: 52 })
  })

  it('has pages that come, move and go; one stays', () => {
    const of = read()
    expect(addPage(of, 0).pages.map((page) => page.elements.length)).toEqual([4, 0, 1])
    expect(copyPage(of, 1).pages[2]).toEqual(of.pages[1])
    expect(movePage(of, 1, -1).pages).toEqual([of.pages[1], of.pages[0]])
    expect(movePage(of, 1, 1)).toBe(of)
    const one = removePage(of, 0)
    expect(one.pages).toEqual([of.pages[1]])
    expect(removePage(one, 0)).toBe(one)
  })

  it('sets keys of several elements, and removes them with what they leave empty', () => {
    const of = read()
    const bold = setElements(of, on(1), ['rightValue', 'bold'], true)
    expect(bold.pages[0]?.elements[1]).toMatchObject({ rightValue: { bold: true } })
    expect(setElements(bold, on(1), ['rightValue', 'bold'], undefined)).toEqual(of)
  })

  it('gives every piece of the palette what its type needs', () => {
    for (const type of TYPES) {
      const piece =
        type === 'column' || type === 'sheet'
          ? { property: sampleModel.properties.find((one) => one.sheet === (type === 'sheet')) as never }
          : { type }
      const made = newElement(piece, sampleModel, 176, { text: '文字' })
      expect(isTemplate({ schemaCode: 'a', pages: [{ elements: [made] }] }), type).toBe(true)
      expect(made?.eleType).toBe(type)
    }
  })

  it('undoes whatever was done, step by step', () => {
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31
      return seed % below
    }
    const some = (of: Template) => {
      const page = random(of.pages.length)
      const count = of.pages[page]?.elements.length ?? 0
      return { page, at: [...Array(count).keys()].filter(() => random(2) === 0) }
    }
    const edits: ((of: Template) => Template)[] = [
      (of) => move(of, some(of), random(40) - 20, random(400) / 10 - 20),
      (of) =>
        resize(of, some(of), { left: random(50), top: random(50), width: 1 + random(150), height: 1 + random(90) }),
      (of) => grow(of, some(of), random(9) - 4, random(9) - 4),
      (of) =>
        align(
          of,
          some(of),
          (['left', 'center', 'right', 'top', 'middle', 'bottom'] as const)[random(6)] ?? 'left',
          inner,
        ),
      (of) => distribute(of, some(of), random(2) ? 'x' : 'y'),
      (of) => sameSize(of, some(of), random(2) ? 'width' : 'height'),
      (of) => reorder(of, some(of), (['front', 'back', 'forward', 'backward'] as const)[random(4)] ?? 'front').template,
      (of) => remove(of, some(of)),
      (of) => duplicate(of, some(of)).template,
      (of) => addPage(of, random(of.pages.length)),
      (of) => removePage(of, random(of.pages.length)),
      (of) => movePage(of, random(of.pages.length), random(2) ? 1 : -1),
      (of) => setElements(of, some(of), ['fontSize'], random(3) || undefined),
    ]
    for (let run = 0; run < 12; run++) {
      const first = read()
      let state = { past: [] as Template[], now: first, future: [] as Template[], of: null as string | null, at: 0 }
      for (let n = 0; n < 30; n++) {
        const before = writeJson(state.now)
        const value = edits[random(edits.length)]?.(state.now) ?? state.now
        expect(writeJson(state.now), 'what was given is not changed').toBe(before)
        expect(isTemplate(value)).toBe(true)
        for (const page of value.pages)
          for (const one of page.elements) expect(Math.min(boxOf(one).left, boxOf(one).top)).toBeGreaterThanOrEqual(0)
        state = step(state, { do: 'set', value, of: null, at: n })
      }
      const last = state.now
      const steps = state.past.length
      for (let n = 0; n < steps; n++) state = step(state, { do: 'undo' })
      expect(state.now).toBe(first)
      expect(writeJson(state.now)).toBe(TEXT)
      for (let n = 0; n < steps; n++) state = step(state, { do: 'redo' })
      expect(state.now).toBe(last)
    }
  })
})

describe('lines that things lie on', () => {
  const options = { others: [{ left: 50, top: 20, width: 40, height: 10 }], inner, near: 1.5, grid: 1 }
  it('are edges and middles of others and of the page, before the grid', () => {
    const { dx, dy, guides } = snapMove({ left: 51.2, top: 33.4, width: 30, height: 8 }, options)
    expect([dx, dy].map((by) => Math.round(by * 100) / 100)).toEqual([-1.2, -0.4])
    expect(guides).toEqual<Guide[]>([{ axis: 'x', at: 50, from: 20, to: 41.4 }])
    expect(snapMove({ left: 100.4, top: 99.3, width: 10, height: 3 }, { ...options, near: 0 })).toMatchObject({
      guides: [],
    })
    expect(snapMove({ left: 0.7, top: 100, width: 10, height: 3 }, options)).toMatchObject({ dx: -0.7, dy: 0 })
  })
  it('hold for edges that are dragged; nothing gets smaller than a millimeter', () => {
    const box = { left: 10, top: 40, width: 30, height: 8 }
    const wider = snapResize(box, 'e', 9.2, 0, options)
    expect(wider.box).toMatchObject({ left: 10, width: 40 })
    expect(wider.guides).toMatchObject([{ axis: 'x', at: 50 }])
    expect(snapResize(box, 'nw', -30, 100, options).box).toEqual({ left: 0, top: 47, width: 40, height: 1 })
    expect(snapResize(box, 's', 0, 4.3, options).box.height).toBe(12)
  })
  it('rulers have more marks where there is room', () => {
    expect(
      ticksOf(0, 20, 4)
        .filter((tick) => tick.size === 3)
        .map((tick) => tick.at),
    ).toEqual([0, 10, 20])
    expect(ticksOf(0, 20, 4)).toHaveLength(21)
    expect(ticksOf(-5, 100, 0.5)).toHaveLength(11)
  })
})

describe('a template of a form', () => {
  const made = (only = false) =>
    arrange({ model: sampleModel, form: sampleModel.forms[0] as never, only, names: { zh: '合同{卡}', en: 'Card' } })
  it('has a title, fields in two columns, and what is long in full width', () => {
    const { pages, ...rest } = made()
    expect(rest).toMatchObject({ schemaCode: 'contract', name: '合同{卡}', name_i18n: { en: 'Card' } })
    expect(rest).not.toHaveProperty('sheetCode')
    expect(made(true)).toHaveProperty('sheetCode', 'contract')
    const shown = pages[0]?.elements.map((one) => [one.eleType, one.propertyCode ?? one.text, one.left, one.widthValue])
    expect(shown).toEqual([
      ['text', '合同卡', 0, 176],
      ['text', '基本信息', 0, 176],
      ['column', 'contractNo', 0, 88],
      ['column', 'name', 88, 88],
      ['column', 'amount', 0, 176],
      ['column', 'remark', 0, 176],
      ['text', '付款', 0, 176],
      ['sheet', 'payments', 0, 176],
      ['workflowLog', undefined, 0, 176],
    ])
    expect(pages[0]?.elements[3]?.leftKey).toMatchObject({ innerTxt: '名称 全称' })
    expect(pages[0]?.elements[7]?.columns).toEqual([
      { propertyCode: 'item', widthValue: 93.5 },
      { propertyCode: 'payable', sumType: 'sum' },
    ])
  })
  it('has nothing over anything else', () => {
    const all = boxes(made())
    for (const [i, a] of all.entries())
      for (const b of all.slice(i + 1))
        expect(
          a.left >= b.left + b.width ||
            b.left >= a.left + a.width ||
            a.top + a.height <= b.top ||
            b.top + b.height <= a.top,
        ).toBe(true)
  })
})

it('a place that says the same is not written', () => {
  const one: Element = { eleType: 'text', left: 1, top: 2, widthValue: 3 }
  expect(place(one, { left: 1, top: 2, width: 3, height: 7 })).toBe(one)
})

it('a table of the palette has widths by what is in it', () => {
  const payments = sampleModel.properties.find((one) => one.code === 'payments') as never
  const columns = newElement({ property: payments }, sampleModel, 176, { text: '' })?.columns as {
    widthValue?: number
  }[]
  const [item, payable] = columns
  expect(item?.widthValue).toBeGreaterThan(176 / 2)
  expect(payable).toEqual({ propertyCode: 'payable', sumType: 'sum' })
})

it('pages after the first may have a header of their own, or none', () => {
  const [header, nextHeader] = [{ items: ['Date'] }, { items: ['Time'] }]
  expect(bandOf({ header }, 'header', 1)).toBe(header)
  expect(bandOf({ header, nextHeader }, 'header', 0)).toBe(header)
  expect(bandOf({ header, nextHeader }, 'header', 1)).toBe(nextHeader)
  expect(bandOf({ header: { ...header, pages: 'first' } }, 'header', 1)).toBeUndefined()
  expect(bandOf({ nextHeader }, 'header', 0)).toBeUndefined()
})

it('a related list becomes a table of its own columns, without the relation', () => {
  const [list] = sampleModel.lists
  expect(list && newElement({ list }, sampleModel, 176, { text: '' })).toMatchObject({
    eleType: 'sheet',
    queryCode: 'inspection',
    propertyCode: 'contract',
    columns: [
      { propertyCode: 'lotNo', widthValue: 82 },
      { propertyCode: 'quantity', sumType: 'sum' },
    ],
    widthValue: 176,
  })
})
