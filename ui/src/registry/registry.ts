import { create } from 'zustand'
import type { AnyActionUI } from '@/sdk/action'
import type { AnyViewUI, AnyWidgetUI, PackUI, PageUI, RecordPartUI } from '@/sdk/pack'
import { addTexts } from '@/sdk/texts'
import { addProperty, hasProperty } from './properties'

/** What is defined, of one kind, by name. Pages have the pack's name before their own: `survey/overview`. */
interface Defined {
  action: AnyActionUI
  page: PageUI
  part: RecordPartUI
  view: AnyViewUI
  widget: AnyWidgetUI
}
type Kind = keyof Defined

const defined: { [K in Kind]: Map<string, { pack: string; of: Defined[K] }> } = {
  action: new Map(),
  page: new Map(),
  part: new Map(),
  view: new Map(),
  widget: new Map(),
}

/** Counts what was added, so that what is drawn already hears of it. */
const useAdded = create<{ count: number }>(() => ({ count: 0 }))

export class DefinedTwice extends Error {
  override name = 'DefinedTwice'
}

function entriesOf(pack: PackUI): [Kind, string, Defined[Kind]][] {
  const named = <K extends Kind>(kind: K, list: readonly Defined[K][] = [], before = '') =>
    list.map((one): [Kind, string, Defined[Kind]] => [kind, before + one.name, one])
  return [
    ...named('action', pack.actions),
    ...named('page', pack.pages, `${pack.pack}/`),
    ...named('part', pack.parts),
    ...named('view', pack.views),
    ...named('widget', pack.widgets),
  ]
}

/** Adds all that a pack defines, or nothing of it: a name that is taken is an error. */
export function addPack(pack: PackUI): void {
  const entries = entriesOf(pack)
  const seen = new Set<string>()
  for (const [kind, name] of entries) {
    const taken = defined[kind].get(name)
    if (taken || seen.has(`${kind} ${name}`))
      throw new DefinedTwice(`the ${kind} "${name}" of ${pack.pack} is defined by ${taken?.pack ?? pack.pack} already`)
    seen.add(`${kind} ${name}`)
  }
  for (const { wire, name } of pack.properties ?? [])
    if (hasProperty(wire))
      throw new DefinedTwice(`the property type ${wire} (${name}) of ${pack.pack} is defined already`)
  if (pack.texts) addTexts(pack.texts)
  for (const property of pack.properties ?? []) addProperty(property, property.form)
  for (const [kind, name, of] of entries) (defined[kind] as Map<string, unknown>).set(name, { pack: pack.pack, of })
  useAdded.setState(({ count }) => ({ count: count + 1 }))
}

const find = <K extends Kind>(kind: K, name: string): Defined[K] | undefined => defined[kind].get(name)?.of

export const actionUI = (name: string) => find('action', name)
export const viewUI = (name: string) => find('view', name)
export const pageUI = (pack: string, name: string) => find('page', `${pack}/${name}`)
export const widgetUI = (name: string) => find('widget', name)
export const allActions = (): AnyActionUI[] => [...defined.action.values()].map(({ of }) => of)
export const allWidgets = (): AnyWidgetUI[] => [...defined.widget.values()].map(({ of }) => of)
export const allParts = (): RecordPartUI[] => [...defined.part.values()].map(({ of }) => of)

/** Draws the component again when a pack's interface has been added. */
export const useRegistry = () => useAdded((state) => state.count)
