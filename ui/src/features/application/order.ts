import { type Locale, localName } from '@/lib/local-name'
import type { Entry, ManagedApp } from './api'

export interface Group {
  /** "" holds the applications that are in none. */
  group: string
  group_i18n: Record<string, string>
  apps: ManagedApp[]
}

/** Groups in the order of their first application; those without a group come last. */
export function groupsOf(apps: ManagedApp[]): Group[] {
  const groups: Group[] = []
  for (const app of apps) {
    const known = groups.find((one) => one.group === app.group)
    if (known) {
      known.apps.push(app)
      if (Object.keys(known.group_i18n).length === 0) known.group_i18n = app.group_i18n
    } else groups.push({ group: app.group, group_i18n: app.group_i18n, apps: [app] })
  }
  return groups.sort((a, b) => Number(a.group === '') - Number(b.group === ''))
}

type Named = Pick<Group, 'group' | 'group_i18n'>

/** What a group is called in a language. */
export const groupName = ({ group, group_i18n }: Named, locale: Locale) =>
  localName({ name: group, name_i18n: group_i18n }, locale)

/** The group that somebody means by a name, in their language or in Chinese; of several with one name, their own. */
export function groupOf(groups: Group[], name: string, locale: Locale, own?: string): Group | undefined {
  const called = groups.filter((one) => groupName(one, locale) === name)
  return called.find((one) => one.group === own) ?? called[0] ?? groups.find((one) => one.group === name)
}

const codes = (groups: Group[]) => groups.flatMap((one) => one.apps.map((app) => app.code))

/** The order of all applications when one is put before another, or at the end of a group. */
export function placed(groups: Group[], code: string, group: string, before: string | null): string[] {
  const moved = groups.map((one) => ({ ...one, apps: one.apps.filter((app) => app.code !== code) }))
  const app = groups.flatMap((one) => one.apps).find((one) => one.code === code)
  const target = moved.find((one) => one.group === group)
  if (!app || !target) return codes(groups)
  const at = before === null ? -1 : target.apps.findIndex((one) => one.code === before)
  target.apps.splice(at < 0 ? target.apps.length : at, 0, app)
  return codes(moved)
}

/** The order when an application is moved one place within its group; null at the end of it. */
export function stepped(groups: Group[], code: string, by: 1 | -1): string[] | null {
  const group = groups.find((one) => one.apps.some((app) => app.code === code))
  const order = group?.apps.map((app) => app.code) ?? []
  const at = order.indexOf(code)
  if (!group || at + by < 0 || at + by >= order.length) return null
  const next = by === 1 ? (order[at + 2] ?? null) : (order[at - 1] ?? null)
  return placed(groups, code, group.group, next)
}

/** The order when a group is moved one place; null at the end. The applications without a group stay last. */
export function groupStepped(groups: Group[], group: string, by: 1 | -1): string[] | null {
  const at = groups.findIndex((one) => one.group === group)
  const other = groups[at + by]
  if (at < 0 || !other || other.group === '') return null
  const next = [...groups]
  next.splice(at, 1)
  next.splice(at + by, 0, groups[at] as Group)
  return codes(next)
}

export interface Line {
  entry: Entry
  depth: number
  /** The code of the folder that it is in; "" at the top. */
  folder: string
  at: number
  count: number
}

/** The menu as lines, in the order in which it is drawn. */
export function linesOf(menu: Entry[], depth = 0, folder = ''): Line[] {
  return menu.flatMap((entry, at) => [
    { entry, depth, folder, at, count: menu.length },
    ...linesOf(entry.children, depth + 1, entry.code),
  ])
}

/** Where an entry goes that is dropped on a line: into a folder, or before or behind it. The place is counted without the entry. */
export function dropped(lines: Line[], code: string, on: string, where: 'before' | 'behind' | 'inside') {
  const target = lines.find((line) => line.entry.code === on)
  const moved = lines.find((line) => line.entry.code === code)
  if (!target || !moved || code === on) return null
  if (linesOf(moved.entry.children).some((line) => line.entry.code === on)) return null
  if (where === 'inside') return { folder: on, at: null }
  const at = target.at + (where === 'behind' ? 1 : 0)
  return { folder: target.folder, at: moved.folder === target.folder && moved.at < at ? at - 1 : at }
}

/** A code made of an English name: "Purchase orders" is purchaseOrders. */
export function codeOf(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter(Boolean)
  const code = words.map(
    (word, i) => (i === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1),
  )
  return code
    .join('')
    .replace(/^[0-9]+/, '')
    .slice(0, 63)
}

export const isCode = (code: string) => /^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(code)
