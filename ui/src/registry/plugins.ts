import type { AnyActionUI } from '@/sdk/action'
import type { AnyViewUI, PackUI, RecordPartUI } from '@/sdk/pack'
import { addPack } from './registry'

// What lies in folders of this repository: one folder a thing, or all of a pack in its ui/index.tsx.
const actions = import.meta.glob<{ action: AnyActionUI }>('../../../plugins/*/action/*/ui.tsx', { eager: true })
const parts = import.meta.glob<{ part: RecordPartUI }>('../../../plugins/*/part/*/ui.tsx', { eager: true })
const views = import.meta.glob<{ view: AnyViewUI }>('../../../plugins/*/view/*/ui.tsx', { eager: true })
const packs = import.meta.glob<{ default: PackUI }>('../../../plugins/*/ui/index.tsx', { eager: true })

const packOf = (path: string) => /plugins\/([^/]+)\//.exec(path)?.[1] ?? ''

for (const [path, { action }] of Object.entries(actions)) addPack({ pack: packOf(path), actions: [action] })
for (const [path, { part }] of Object.entries(parts)) addPack({ pack: packOf(path), parts: [part] })
for (const [path, { view }] of Object.entries(views)) addPack({ pack: packOf(path), views: [view] })
for (const pack of Object.values(packs)) addPack(pack.default)
