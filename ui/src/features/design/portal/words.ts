import { useMemo } from 'react'
import type { IconName } from '@/components/icon'
import { useLocale } from '@/i18n/locale'
import { useText } from '@/sdk/use-text'
import type { Label, WidgetType } from './api'
import type { Widget } from './page'

/** A label of the server in the language of the reader. */
export function useLabel() {
  const locale = useLocale()
  return useMemo(() => {
    const label = (of: Label | null | undefined) => (of ? of.i18n?.[locale] || of.zh : '')
    return Object.assign(label, { locale })
  }, [locale])
}

/** A text of the document in the language of the reader. */
export function useDocumentText() {
  const locale = useLocale()
  return useMemo(() => {
    const text = (of: object, key: string): string => {
      const bag = of as Record<string, unknown>
      const i18n = bag[`${key}_i18n`] as Record<string, string> | undefined
      const own = typeof bag[key] === 'string' ? bag[key] : ''
      return locale === 'zh' ? own : i18n?.[locale] || own
    }
    return Object.assign(text, { locale })
  }, [locale])
}

const VALUES = [
  'small',
  'medium',
  'big',
  'none',
  'solid',
  'dashed',
  'normal',
  'bold',
  'bizModel',
  'myUnfinished',
  'myFinished',
  'myRead',
  'myUnread',
  'myStart',
  'noIcon',
  'dot',
  'diamond',
  'ascending',
  'descending',
  'app',
  'portalPage',
  'page',
  'URL',
  'curPage',
  'newPage',
  '_self',
  '_blank',
  'up',
  'down',
  'bar',
  'circle',
  'cover',
  'contain',
  'info',
  'success',
  'warning',
  'error',
  'row',
  'column',
  'fluid',
  'fixed',
  'auto',
  'visible',
  'hidden',
  'scroll',
] as const

/** The word for a value of an enumeration; a value of a pack's own stays as it is. */
export function useValueLabel() {
  const t = useText()
  return (key: string, value: string) => {
    if (key === 'gotoType' && value === 'none') return t('portalDesign.onlyShown')
    const known = VALUES.find((one) => one === value)
    return known ? t(`portalDesign.values.${known}`) : value
  }
}

const ICONS: Record<string, IconName> = {
  GridNavigation: 'grid',
  RowMenu: 'menu',
  ColMenu: 'panel',
  ShortcutList: 'clock',
  MyApplication: 'folder',
  MyUnfinished: 'inbox',
  TextList: 'file',
  TabTextList: 'copy',
  RecordList: 'table',
  Calendar: 'calendar',
  Chart: 'chart',
  KeyFigure: 'arrowUp',
  Progress: 'sliders',
  Map: 'pin',
  Carousel: 'camera',
  Image: 'camera',
  RichText: 'edit',
  Notice: 'bell',
  Embed: 'external',
  Layout: 'table',
  LayoutPanel: 'panel',
  LayoutSider: 'panel',
}

export const iconOf = (type: string): IconName => ICONS[type] ?? 'panel'

/** Names of what a page is made of. */
export function usePortalWords(types: ReadonlyMap<string, WidgetType>) {
  const label = useLabel()
  const text = useDocumentText()
  return useMemo(() => {
    const type = (code: string) => {
      const name = label(types.get(code)?.label)
      return name ? name.charAt(0).toUpperCase() + name.slice(1) : code
    }
    /** What a widget is called in lists and by screen readers. */
    const widget = (of: Widget): string => {
      const title = text(of, 'title') || text(of, 'componentTitle') || text(of, 'name')
      const name = type(of.type)
      return title && title.toLowerCase() !== name.toLowerCase() ? `${title} · ${name}` : name
    }
    return { label, text, type, widget, locale: label.locale }
  }, [label, text, types])
}

export type PortalWords = ReturnType<typeof usePortalWords>
