import { type Locale, optionText, type PortalTarget, targetOf } from '@sluice/sdk'

/** An entry of navigation, as the server answers it. */
export interface EntryOptions {
  title: string
  title_i18n?: Record<string, string> | null
  icon?: string
  iconSrc?: string | null
  to?: string | null
  external?: boolean
  openMode?: string
  actionType?: string
  logoSrc?: string | null
  targetIcon?: string | null
}

export interface Entry {
  title: string
  icon: string | null
  src: string | null
  target: PortalTarget
}

/** An entry without an icon has that of the application or the model that it opens. */
export const entryOf = (one: EntryOptions, locale: Locale): Entry => ({
  title: optionText(one, 'title', locale),
  icon: one.icon ?? one.targetIcon ?? null,
  src: one.iconSrc ?? (one.icon ? null : (one.logoSrc ?? null)),
  target: targetOf(one),
})

const ICONS = { app: 'grid', bizModel: 'table', portalPage: 'panel', URL: 'external' } as const

/** What an entry has that brings no icon at all. */
export const otherwise = (one: EntryOptions) => ICONS[one.actionType as keyof typeof ICONS] ?? 'external'
