import { useText } from '@/sdk/use-text'
import type { Flow } from './document'
import { useDesignWords } from './words'

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Nodes that were added, changed or removed. */
export function changesOf(before: Flow | null, now: Flow) {
  const old = new Map((before?.nodes ?? []).map((node) => [node.id, node]))
  const is = new Set(now.nodes.map((node) => node.id))
  const { nodes: _, ...rest } = before ?? { nodes: [] }
  const { nodes: __, ...restNow } = now
  return {
    added: now.nodes.filter((node) => !old.has(node.id)),
    changed: now.nodes.filter((node) => old.has(node.id) && !same(old.get(node.id), node)),
    removed: (before?.nodes ?? []).filter((node) => !is.has(node.id)),
    settings: !same(rest, restNow),
  }
}

/** The same in words. */
export function useChangeWords() {
  const t = useText()
  const words = useDesignWords()
  return (before: Flow | null, now: Flow) => {
    const { added, changed, removed, settings } = changesOf(before, now)
    const names = (list: Flow['nodes']) => list.map((node) => words.node(node)).join(t('design.comma'))
    return [
      added.length > 0 && t('design.addedNodes', { names: names(added) }),
      changed.length > 0 && t('design.changedNodes', { names: names(changed) }),
      removed.length > 0 && t('design.removedNodes', { names: names(removed) }),
      settings && t('design.changedSettings'),
    ].filter((line) => typeof line === 'string')
  }
}
