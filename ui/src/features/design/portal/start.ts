import { WORKBENCH } from '@/sdk/portal'
import { type Bag, isBag } from '../shared/json'
import type { WidgetType } from './api'
import { freeCode } from './edit'
import { everyWidget, type Page, type Widget } from './page'
import { fieldsOf, optionsSchema } from './schema'

// What new widgets and new entries begin with.

/** Pages of the system that navigation can lead to besides documents. */
export const SYSTEM_PAGES = [WORKBENCH, 'defaultWorkflowCenter', 'defaultApplicationList'] as const

const texts = (list: unknown, key: string) =>
  new Set(Array.isArray(list) ? list.map((one) => (isBag(one) ? String(one[key] ?? '') : '')) : [])

/** The first numbered name that none of a list has. */
function numbered(list: unknown, key: string, stem: string, digits: number): string {
  const taken = texts(list, key)
  for (let n = Array.isArray(list) ? list.length + 1 : 1; ; n++) {
    const name = stem + String(n).padStart(digits, '0')
    if (!taken.has(name)) return name
  }
}

export const newEntry = (list: unknown): Bag => ({ title: numbered(list, 'title', '宫格导航', 2), actionType: 'app' })

export const newPhoto = (list: unknown): Bag => ({
  name: numbered(list, 'name', '图片', 0),
  gotoType: 'page',
  gotoPage: WORKBENCH,
  openType: '_self',
})

export const newTab = (list: unknown): Bag => ({
  title: numbered(list, 'title', '页签', 0),
  dataSource: 'bizModel',
  sortRule: 'ascending',
  listIcon: 'noIcon',
})

const workbenchEntry: Bag = {
  title: '工作台',
  title_i18n: { en: 'Workbench' },
  icon: 'home',
  actionType: 'portalPage',
  isDefaultWorkbench: true,
  portalCode: WORKBENCH,
}

export const isWorkbenchEntry = (entry: unknown) => isBag(entry) && entry.isDefaultWorkbench === true

const hasWorkbenchEntry = (page: Page) =>
  everyWidget(page).some(({ widget }) => Array.isArray(widget.navigator) && widget.navigator.some(isWorkbenchEntry))

/** A new widget of a type. */
export function newWidget(type: WidgetType, page: Page, portalCode: string, root: Bag): Widget {
  const schema = optionsSchema(root, type.type)
  const keys = new Set(schema ? fieldsOf(root, schema, { dataSource: 'bizModel' }).map(({ key }) => key) : [])
  const widget: Widget = { type: type.type, code: freeCode(page, type.type) }
  const { zh, i18n } = type.label
  const en = i18n?.en ?? ''
  const title = (key: string) => {
    widget[key] = zh
    if (en) widget[`${key}_i18n`] = { en: en.charAt(0).toUpperCase() + en.slice(1) }
  }
  if (keys.has('componentTitle')) title('componentTitle')
  if (keys.has('title') && !keys.has('navigator')) title('title')
  if (keys.has('dataSource')) widget.dataSource = 'bizModel'
  if (keys.has('navigator')) {
    const first = type.type === 'RowMenu' && portalCode === WORKBENCH && !hasWorkbenchEntry(page)
    widget.navigator = first ? [workbenchEntry] : []
  }
  if (keys.has('photos')) widget.photos = []
  if (keys.has('tabs')) {
    const tab = newTab([])
    widget.tabs = [tab, newTab([tab])]
  }
  if (type.container) {
    const panel = type.holds?.includes('LayoutPanel')
    widget.widgets = panel ? [{ type: 'LayoutPanel', code: freeCode(page, 'LayoutPanel'), widgets: [] }] : []
  }
  return widget
}

/** The script that a page begins with. */
export const DEFAULT_SCRIPT = `export default {
  options: { version: '1.1' },
  hooks: {
    onPageEnter(event, page) {},
  },
}
`
