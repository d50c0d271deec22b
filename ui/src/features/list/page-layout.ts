import type { ListConfig, PagePart } from '@/api/types'

const part = (name: PagePart['part']): PagePart => ({ part: name, width: 0, text: '', text_i18n: {}, tone: 'info' })
const usual: PagePart[] = [part('toolbar'), part('filter'), part('table'), part('pager')]

export interface PageLayout {
  /** From top to bottom; the table may have the filters beside it. */
  parts: PagePart[]
  /** Filters beside the table: how wide, and on which side. */
  side: { width: number; left: boolean } | null
}

/** The page that the definition lays out (htmlJson), or the usual one. */
export function pageLayout({ queryPresentation: { htmlJson } }: ListConfig): PageLayout {
  const parts = htmlJson?.length ? htmlJson : usual
  const at = parts.findIndex((one) => one.part === 'filter' && one.width > 0)
  const beside = parts[at]
  if (!beside) return { parts, side: null }
  return {
    parts: parts.filter((_, i) => i !== at),
    side: { width: beside.width, left: at < parts.findIndex((one) => one.part === 'table') },
  }
}
