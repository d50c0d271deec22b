import { type DueItem, type DueList, type Missing, missingText } from '../shared/due'
import type { Entry } from './begin'
import type { Item } from './readings'

/** A due item as readings are compared with it: by what is asked at the node, and not by the library. */
export const itemOfDue = (due: DueItem): Item => ({
  id: due.itemId,
  name: due.name,
  itemClass: due.itemClass,
  method: due.evalMethod,
  unit: due.unit,
  ...{ devLow: due.devLow, devHigh: due.devHigh, limitLow: due.limitLow, limitHigh: due.limitHigh },
  minPoints: due.minPoints || 1,
})

/** The due items that a record of a kind judges: its own, and for a supervisor those of the contractor; main ones alone where the set says so. */
export function itemsOf({ items, kinds }: DueList, kind: string): DueItem[] {
  const judges = kinds.find(({ recordKind }) => recordKind === kind)?.judges
  return items.filter(
    ({ recordKind, itemClass }) =>
      (recordKind === kind || (kind === 'SUP' && recordKind === 'SELF')) && (judges !== 'MAIN' || itemClass === 'MAIN'),
  )
}

/** Those of them that a new record of the kind begins with: not judged yet, or failed in the round before, or held not to apply by its author alone. */
export function openItems(due: DueList, kind: string): DueItem[] {
  const lacks = (id: string) => due.missing.some((one) => one.what === 'ITEM' && one.key === id && one.kind === kind)
  return itemsOf(due, kind).filter(({ itemId, judged }) => {
    const state = judged[kind]
    return state === undefined || state === 'NOT_OK' || lacks(itemId)
  })
}

/** What the node still lacks with a record as it is typed: its own items that have no reading, then everything else that is missing. */
export function stillMissing(due: DueList, kind: string, entries: readonly Entry[]): string[] {
  const filled = (id: string) => entries.some(({ itemId, values }) => itemId === id && values.length > 0)
  const own = openItems(due, kind)
    .filter(({ itemId }) => !filled(itemId))
    .map(({ itemId, name, itemClass }) =>
      missingText({ what: 'ITEM', key: itemId, name, itemClass, kind, have: 0, need: 1 }),
    )
  const ofRecord = ({ what, kind: of }: Missing) => (what === 'ITEM' || what === 'KIND') && of === kind
  return [...own, ...due.missing.filter((one) => !ofRecord(one)).map(missingText)]
}
