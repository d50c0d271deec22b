import type { CSSProperties } from 'react'
import { isBag, numberOf } from '../shared/json'
import type { Page } from './page'

/** Widths at which a page is looked at; at the first it is edited. */
export const WIDTHS = [1440, 768, 390] as const
export type Width = (typeof WIDTHS)[number]
export const NAMES = { 1440: 'desktop', 768: 'tablet', 390: 'phone' } as const

/** Where the document is as wide as the page, and what it has around. */
export function settingsOf(page: Page, width: number) {
  const page_ = isBag(page.page) ? page.page : {}
  const fixed = page_.size === 'fixed' ? Math.min(width, numberOf(page_.width) ?? 1200) : width
  const color = typeof page_.backgroundColor === 'string' ? page_.backgroundColor : undefined
  const look: CSSProperties = color ? { background: color } : {}
  return { width: fixed, padding: numberOf(page_.padding) ?? 16, look }
}
