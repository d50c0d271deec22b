import type { AnyWidgetUI } from '@/sdk/pack'
import { addPack } from './registry'

// Apart from plugins.ts: lists do without them.
const widgets = import.meta.glob<{ widget: AnyWidgetUI }>('../../../plugins/*/widget/*/ui.tsx', { eager: true })

for (const [path, { widget }] of Object.entries(widgets))
  addPack({ pack: /plugins\/([^/]+)\//.exec(path)?.[1] ?? '', widgets: [widget] })
