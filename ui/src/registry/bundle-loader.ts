import type { QueryClient } from '@tanstack/react-query'
import type { InterfaceBundle } from '@/api/types'
import { reloadOnce } from '@/lib/chunk'
import { definePack, type PackUI } from '@/sdk/pack'
import { fitsSdk, SDK_VERSION } from '@/sdk/version'
import { bundlesQuery, type Needs } from './bundles'
import { lose } from './lost'
import { hasProperty } from './properties'
import { actionUI, addPack, allParts, pageUI, viewUI, widgetUI } from './registry'

/** What became of each bundle, by its address: it is fetched once, and one that failed is told once. */
const loading = new Map<string, Promise<void>>()
/** The address of each pack's bundle that is in use. */
const loaded = new Map<string, string>()

/** Whether something is needed that is not defined yet. */
const lacks = ({ wires = [], actions = [], views = [], widgets = [], page, record }: Needs) =>
  page !== undefined ||
  record !== undefined ||
  wires.some((wire) => !hasProperty(wire)) ||
  actions.some((name) => name !== 'custom' && !actionUI(name)) ||
  views.some((name) => !viewUI(name)) ||
  widgets.some((name) => !widgetUI(name))

function defines({ pack, defines }: InterfaceBundle, needs: Needs): boolean {
  const { properties, actions, views, pages, parts, widgets = [] } = defines
  return (
    (needs.wires ?? []).some((wire) => !hasProperty(wire) && properties.includes(wire)) ||
    (needs.actions ?? []).some((name) => !actionUI(name) && actions.includes(name)) ||
    (needs.views ?? []).some((name) => !viewUI(name) && views.includes(name)) ||
    (needs.widgets ?? []).some((name) => !widgetUI(name) && widgets.includes(name)) ||
    pages.some((name) => needs.page === `${pack}/${name}` && !pageUI(pack, name)) ||
    (needs.record !== undefined &&
      parts.some(
        ({ name, models }) =>
          (models === null || models.includes(needs.record ?? '')) && !allParts().some((part) => part.name === name),
      ))
  )
}

/** Loads the bundles that define what is needed and is not there. */
export async function loadMissing(client: QueryClient, needs: Needs): Promise<void> {
  if (!lacks(needs)) return // mostly: nobody waits for the list of bundles
  const bundles = await client.ensureQueryData(bundlesQuery).catch(() => [])
  await Promise.all(bundles.filter((bundle) => defines(bundle, needs)).map(loadBundle))
}

/** Whether the server has another bundle than this page of some pack; asked while packs are developed. */
export async function isRebuilt(client: QueryClient): Promise<boolean> {
  const bundles = await client.fetchQuery({ ...bundlesQuery, staleTime: 0 })
  return bundles.some(({ pack, address }) => (loaded.get(pack) ?? address) !== address)
}

export function loadBundle(bundle: InterfaceBundle): Promise<void> {
  const known = loading.get(bundle.address)
  if (known) return known
  const load = fetchBundle(bundle).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause)
    lose(bundle.pack, why, bundle.defines)
    // biome-ignore lint/suspicious/noConsole: who installed the pack finds the reason here
    console.error(`The interface of the pack "${bundle.pack}" is not loaded: ${why}`)
  })
  loading.set(bundle.address, load)
  return load
}

/** What brings modules; tests put theirs in its place. */
export const modules = {
  import: (address: string): Promise<Record<string, unknown>> => import(/* @vite-ignore */ address),
  style: addStyle,
}

async function fetchBundle({ pack, sdk, address, styles }: InterfaceBundle): Promise<void> {
  if (!fitsSdk(sdk))
    throw new Error(`it is built against version ${sdk} of the SDK, and this is ${SDK_VERSION}; build it again`)
  const shared = await modules.import('/sdk/sdk.js')
  if (shared.definePack !== definePack) {
    // The server has another application than this page: its modules would bring a second React.
    if (reloadOnce()) return await new Promise(() => {})
    throw new Error('this page is older than the server; load it again')
  }
  const [module] = await Promise.all([modules.import(address), ...styles.map(modules.style)])
  const found = module.default as PackUI | undefined
  if (!found || found.pack !== pack) throw new Error(`it exports no definePack({ pack: '${pack}' })`)
  // The product's own come first, so that no pack takes their names.
  if (found.widgets) await import('./widgets')
  addPack(found)
  loaded.set(pack, address)
}

function addStyle(href: string): Promise<void> {
  return new Promise((resolve) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = href
    link.onload = link.onerror = () => resolve() // without its looks it still works
    document.head.append(link)
  })
}
