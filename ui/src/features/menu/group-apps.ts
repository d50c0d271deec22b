import type { App } from '@/api/types'

/** Groups in the order of their first application; those without a group come last. */
export function groupApps(apps: App[]): { group: string | null; apps: App[] }[] {
  const groups = new Map<string | null, App[]>()
  for (const app of apps) groups.set(app.group, [...(groups.get(app.group) ?? []), app])
  return [...groups]
    .map(([group, members]) => ({ group, apps: members }))
    .sort((a, b) => Number(a.group === null) - Number(b.group === null))
}
