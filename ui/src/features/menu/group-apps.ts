import type { App } from '@/api/types'
import { type Locale, localName } from '@/lib/local-name'

/** Groups in the order of their first application; those without a group come last. Whichever application has a name for its group in the language gives it. */
export function groupApps(apps: App[], locale: Locale): { group: string | null; name: string | null; apps: App[] }[] {
  const groups = new Map<string | null, App[]>()
  for (const app of apps) groups.set(app.group, [...(groups.get(app.group) ?? []), app])
  return [...groups]
    .map(([group, members]) => {
      const namer = members.find((app) => app.group_i18n[locale]) ?? members[0]
      return {
        group,
        name: group && localName({ name: group, name_i18n: namer?.group_i18n ?? {} }, locale),
        apps: members,
      }
    })
    .sort((a, b) => Number(a.group === null) - Number(b.group === null))
}
