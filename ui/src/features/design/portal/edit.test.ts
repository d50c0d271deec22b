import { describe, expect, it } from 'vitest'
import type { WidgetType } from './api'
import { changesOf } from './changes'
import { add, moveInto, paste, place, remove, reorder } from './edit'
import { refusedPicture } from './fields/picture-field'
import { type Box, boxesOf, droppedAt, put, stepped } from './grid'
import { everyWidget, isPage, type Page, type Widget } from './page'
import { problemsOf } from './problems'
import { fieldsOf, isMissing, trimmedTitle, withValue, wordsOf } from './schema'
import { newEntry, newPhoto, newTab, newWidget } from './start'

const type = (code: string, width: number, height: number, more: Partial<WidgetType> = {}): [string, WidgetType] => [
  code,
  {
    type: code,
    label: { zh: code },
    group: 'work',
    width,
    height,
    container: false,
    holds: null,
    within: null,
    public: false,
    ...more,
  },
]
const types = new Map([
  type('RowMenu', 12, 9),
  type('TextList', 6, 27),
  type('Layout', 12, 27, { container: true, holds: ['LayoutPanel', 'LayoutSider'] }),
  type('LayoutPanel', 6, 27, { container: true, within: ['Layout'] }),
])
const text = (code: string, more: object = {}): Widget => ({ type: 'TextList', code, ...more })
const at = (page: Page) => boxesOf(page, types).map(({ x, y, width, height }) => [x, y, width, height])
const page = (...widgets: Widget[]): Page => ({ widgets })

describe('the grid of a page', () => {
  it('puts widgets without a place after each other, and moves up what floats', () => {
    expect(at(page({ type: 'RowMenu' }, text('a'), text('b'), text('c')))).toEqual([
      [0, 0, 12, 9],
      [0, 9, 6, 27],
      [6, 9, 6, 27],
      [0, 36, 6, 27],
    ])
    expect(at(page(text('a', { x: 0, y: 40 }), text('b', { x: 3, y: 50 })))).toEqual([
      [0, 0, 6, 27],
      [3, 27, 6, 27],
    ])
  })

  it('steps past the next widget by one key, and back', () => {
    const boxes = boxesOf(
      page(text('a', { x: 0, y: 0 }), text('b', { x: 0, y: 27 }), text('c', { x: 0, y: 54 })),
      types,
    )
    const down = stepped(boxes, 0, 0, 1)
    expect(down.map(({ y }) => y)).toEqual([27, 0, 54])
    expect(stepped(down, 0, 0, -1)).toEqual(boxes)
    expect(stepped(boxes, 0, 0, -1)).toEqual(boxes)
    expect(stepped(boxes, 1, 6, 0)[1]).toMatchObject({ x: 6, y: 0 })
    expect(stepped(boxes, 1, 20, 0)[1]?.x).toBe(6)
  })

  it('never lets two widgets cover each other, whatever is moved or resized', () => {
    let seed = 7
    const random = (most: number) => {
      seed = (seed * 16807) % 2147483647
      return seed % most
    }
    let boxes: Box[] = Array.from({ length: 12 }, (_, i) => ({
      x: (i % 3) * 4,
      y: Math.floor(i / 3) * 6,
      width: 4,
      height: 6,
    }))
    const apart = (a: Box, b: Box) =>
      a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height || b.y >= a.y + a.height
    for (let n = 0; n < 200; n++) {
      boxes = put(boxes, random(12), { x: random(12), y: random(30), width: 1 + random(12), height: 1 + random(12) })
      const inside = boxes.every((a) => a.x >= 0 && a.y >= 0 && a.x + a.width <= 12)
      const free = boxes.every((a, i) => boxes.every((b, k) => k <= i || apart(a, b)))
      expect(inside && free).toBe(true)
    }
  })

  it('writes places of widgets that moved, and leaves the others as they are', () => {
    const before = page({ type: 'RowMenu', zz: 1 }, text('a'), text('b'))
    expect(place(before, boxesOf(before, types), types)).toBe(before)
    const after = place(before, put(boxesOf(before, types), 1, { height: 30 }), types)
    expect(after.widgets[0]).toBe(before.widgets[0])
    expect(after.widgets[1]).toEqual({ ...text('a'), height: 30 })
    expect(at(after)[2]).toEqual([6, 9, 6, 27])
  })
})

describe('changes of a page', () => {
  it('adds at the end or at a place, and puts into a layout what belongs there', () => {
    const first = add(page({ type: 'RowMenu' }), text('a'), { at: null }, types)
    expect(at(first.page)).toEqual([
      [0, 0, 12, 9],
      [0, 9, 6, 27],
    ])
    const above = add(first.page, text('b'), { at: { x: 0, y: 0 } }, types)
    expect(at(above.page)[above.way[0] ?? 0]).toEqual([0, 0, 6, 27])
    const layout: Widget = { type: 'Layout', widgets: [{ type: 'LayoutPanel', widgets: [] }] }
    const inside = add(page(layout), text('c', { x: 3, y: 4 }), { into: [0, 0] }, types)
    expect(inside.way).toEqual([0, 0, 0])
    expect(inside.page.widgets[0]?.widgets?.[0]?.widgets).toEqual([text('c')])
  })

  it('drops above what is there, or below it in its lower half', () => {
    const boxes = [{ x: 0, y: 0, width: 12, height: 9 }]
    expect(droppedAt(boxes, { x: 3, y: 2 }, 6)).toEqual({ x: 0, y: 0 })
    expect(droppedAt(boxes, { x: 3, y: 7 }, 6)).toEqual({ x: 0, y: 9 })
    expect(droppedAt(boxes, { x: 11, y: 30.4 }, 6)).toEqual({ x: 6, y: 30 })
  })

  it('gives copies codes of their own, also within', () => {
    const layout: Widget = {
      type: 'Layout',
      code: 'layout1',
      widgets: [{ type: 'LayoutPanel', code: 'p', widgets: [text('textList1')] }],
    }
    const { page: copied } = paste(page(layout), layout, [0], types)
    const codes = everyWidget(copied).map(({ widget }) => widget.code)
    expect(new Set(codes).size).toBe(6)
    expect(codes.slice(0, 3)).toEqual(['layout1', 'p', 'textList1'])
  })

  it('moves between the page and layouts, in order, and removes', () => {
    const start = page(text('a'), {
      type: 'Layout',
      code: 'l',
      widgets: [{ type: 'LayoutPanel', code: 'p', widgets: [text('b')] }],
    })
    const moved = moveInto(start, [0], [1, 0], types)
    expect(everyWidget(moved.page).map(({ widget }) => widget.code)).toEqual(['l', 'p', 'b', 'a'])
    expect(moved.way).toEqual([0, 0, 1])
    const up = reorder(moved.page, moved.way, -1)
    expect(everyWidget(up.page).map(({ widget }) => widget.code)).toEqual(['l', 'p', 'a', 'b'])
    expect(everyWidget(remove(up.page, [0, 0, 0], types)).map(({ widget }) => widget.code)).toEqual(['l', 'p', 'b'])
    expect(moveInto(start, [1], [1, 0], types).page).toBe(start)
  })

  it('keeps what it does not know, and refuses what cannot be drawn', () => {
    const odd = page({ type: 'FromAnotherPack', zz: { deep: [1] } }, text('a'))
    expect(isPage(odd)).toBe(true)
    expect(remove(odd, [1], types).widgets[0]).toBe(odd.widgets[0])
    expect(isPage({ widgets: [{ code: 'a' }] })).toBe(false)
    expect(isPage({ widgets: 1 })).toBe(false)
  })

  it('tells what was added, changed, moved and removed', () => {
    const before = page(text('a', { x: 0, y: 0 }), text('b'), text('c'))
    const now = { ...page(text('a', { x: 6, y: 0 }), text('b', { title: '新' }), text('d')), personal: true }
    const changes = changesOf(before, now)
    expect(changes.moved).toEqual([now.widgets[0]])
    expect(changes.changed).toEqual([now.widgets[1]])
    expect(changes.added).toEqual([now.widgets[2]])
    expect(changes.removed).toEqual([before.widgets[2]])
    expect(changes.settings).toBe(true)
  })

  it('leads problems to their widgets, also when others went before them', () => {
    const checked = page(text('a'), text('b'))
    const one = {
      file: 'portals/x.json',
      line: 1,
      column: 1,
      code: 'SCHEMA002',
      severity: 'error' as const,
      pointer: '/widgets/1',
      zh: '缺少键 "schemaCode"',
      en: 'missing key "schemaCode"',
      repair: {},
    }
    const now = { widgets: checked.widgets.slice(1) }
    expect(problemsOf([one], checked, now)).toMatchObject([{ way: [0], path: ['schemaCode'] }])
    expect(problemsOf([one], checked, page(text('a')))).toEqual([])
  })
})

const root = {
  $defs: {
    code: { type: 'string' },
    title: { type: 'string', description: '标题 / the title' },
    records: {
      properties: { schemaCode: { $ref: '#/$defs/code' }, sortField: {}, sortRule: {}, displayField: {} },
      required: ['schemaCode'],
    },
    widget_TextList: {
      properties: { title: { $ref: '#/$defs/title' }, dataSource: { enum: ['bizModel', 'myRead'] } },
      required: ['dataSource'],
      allOf: [
        {
          if: { properties: { dataSource: { const: 'bizModel' } }, required: ['dataSource'] },
          // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
          then: { $ref: '#/$defs/records' },
        },
        {
          if: { properties: { dataSource: { const: 'myRead' } }, required: ['dataSource'] },
          // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
          then: { properties: { workflowCode: {} } },
        },
      ],
    },
    style: {
      properties: { borderStyle: { enum: ['none', 'solid'] }, borderThickness: {}, borderColor: {} },
      allOf: [
        {
          if: { not: { properties: { borderStyle: { enum: ['solid', 'dashed'] } }, required: ['borderStyle'] } },
          // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
          then: { properties: { borderThickness: false, borderColor: false } },
        },
      ],
    },
  },
}
const list = root.$defs.widget_TextList
const keys = (of: object, value: object) => fieldsOf(root, of, value as never).map(({ key }) => key)

describe('fields from a schema', () => {
  it('has those that hold for what is chosen', () => {
    expect(keys(list, { dataSource: 'bizModel' })).toContain('schemaCode')
    expect(keys(list, { dataSource: 'myRead' })).toEqual(['title', 'dataSource', 'workflowCode'])
    expect(keys(root.$defs.style, {})).toEqual(['borderStyle'])
    expect(keys(root.$defs.style, { borderStyle: 'solid' })).toEqual(['borderStyle', 'borderThickness', 'borderColor'])
    expect(isMissing(root, list, { dataSource: 'bizModel' })).toBe(true)
    expect(isMissing(root, list, { dataSource: 'bizModel', schemaCode: 'a' })).toBe(false)
  })

  it('clears model, display and sort when the source changes, and the border when it goes', () => {
    const full = {
      dataSource: 'bizModel',
      title: 'T',
      schemaCode: 'a',
      displayField: ['x'],
      sortField: 'x',
      sortRule: 'descending',
    }
    expect(withValue(root, list, full, 'dataSource', 'myRead')).toEqual({ dataSource: 'myRead', title: 'T' })
    expect(withValue(root, list, full, 'schemaCode', 'b')).toEqual({
      dataSource: 'bizModel',
      title: 'T',
      schemaCode: 'b',
      sortRule: 'descending',
    })
    const border = { borderStyle: 'solid', borderThickness: 2, borderColor: 'red' }
    expect(withValue(root, root.$defs.style, border, 'borderStyle', 'none')).toEqual({ borderStyle: 'none' })
  })

  it('labels fields with their descriptions', () => {
    expect(wordsOf({ description: '标题，默认 宫格导航 / the title; default 宫格导航' }, 'title', 'zh')).toEqual({
      label: '标题',
      hint: '默认 宫格导航',
    })
    expect(wordsOf({ description: '标题，默认 宫格导航 / the title; default 宫格导航' }, 'title', 'en')).toEqual({
      label: 'Title',
      hint: 'Default 宫格导航',
    })
    expect(wordsOf({}, 'odd', 'en').label).toBe('odd')
  })

  it('trims titles to 30 units of width', () => {
    expect(trimmedTitle('a'.repeat(31))).toHaveLength(30)
    expect(trimmedTitle('工'.repeat(16))).toHaveLength(15)
    expect(trimmedTitle(`a${'工'.repeat(15)}`)).toBe(`a${'工'.repeat(14)}`)
  })
})

describe('what things begin with', () => {
  it('numbers entries, photos and tabs, and gives them their defaults', () => {
    expect(newEntry([])).toEqual({ title: '宫格导航01', actionType: 'app' })
    expect(newEntry([{ title: '宫格导航02' }]).title).toBe('宫格导航03')
    expect(newPhoto([{}])).toEqual({
      name: '图片2',
      gotoType: 'page',
      gotoPage: 'defaultPortalDashboard',
      openType: '_self',
    })
    expect(newTab([])).toEqual({ title: '页签1', dataSource: 'bizModel', sortRule: 'ascending', listIcon: 'noIcon' })
  })

  it('refuses other files than pictures, and icons beyond 100k', () => {
    const file = (type: string, size: number) => new File([new Uint8Array(size)], 'a', { type })
    expect(refusedPicture(file('application/pdf', 1), false)).toBe('notPicture')
    expect(refusedPicture(file('image/bmp', 1), false)).toBe('notPicture')
    expect(refusedPicture(file('image/svg+xml', 1), true)).toBe('notIcon')
    expect(refusedPicture(file('image/png', 100 * 1024 + 1), true)).toBe('tooLarge')
    expect(refusedPicture(file('image/png', 100 * 1024), true)).toBeNull()
    expect(refusedPicture(file('image/webp', 200 * 1024), false)).toBeNull()
    expect(refusedPicture(file('image/webp', 2 * 1024 * 1024 + 1), false)).toBe('pictureTooLarge')
  })

  it('begins tab lists with two tabs, and layouts with a panel', () => {
    const tabs = { $defs: { widget_Tabs: { properties: { tabs: {} } } } }
    const [, tab] = type('Tabs', 6, 27)
    expect(newWidget(tab, page(), 'p', tabs).tabs).toEqual([newTab([]), newTab([{ title: '页签1' }])])
    const layout = types.get('Layout') as WidgetType
    expect(newWidget(layout, page(), 'p', {}).widgets).toMatchObject([{ type: 'LayoutPanel', widgets: [] }])
  })
})
