import { useText } from '@/sdk/use-text'
import type { Element, Template } from './template'
import type { PaperWords } from './words'

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** What an element is about, by which it is known again when it has changed. */
const about = (one: Element) =>
  JSON.stringify([one.eleType, one.propertyCode, one.queryCode, one.node, one.text, one.picUrl])

/** Elements that were added, changed or removed, wherever they lie now. */
export function changesOf(before: Template | null, now: Template) {
  const all = (of: Template | null) => (of?.pages ?? []).flatMap((page) => page.elements)
  const left = all(before)
  const added: Element[] = []
  const changed: Element[] = []
  const rest = all(now).filter((one) => {
    const at = left.findIndex((old) => same(old, one))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  for (const one of rest) {
    const at = left.findIndex((old) => about(old) === about(one))
    if (at >= 0) {
      left.splice(at, 1)
      changed.push(one)
    } else added.push(one)
  }
  const { pages: old, ...settings } = before ?? { pages: [] }
  const { pages, ...settingsNow } = now
  return { added, changed, removed: left, settings: !same(settings, settingsNow), pages: pages.length - old.length }
}

/** The same in words. */
export function useChangeWords(words: PaperWords) {
  const t = useText()
  return (before: Template | null, now: Template) => {
    const { added, changed, removed, settings, pages } = changesOf(before, now)
    const names = (list: Element[]) => {
      const [first = '', ...more] = [...new Set(list.map(words.element))]
      const some = [first, ...more.slice(0, 4)].join(t('design.comma'))
      return more.length > 4 ? t('paper.andMore', { names: some, count: list.length }) : some
    }
    return [
      added.length > 0 && t('design.addedNodes', { names: names(added) }),
      changed.length > 0 && t('design.changedNodes', { names: names(changed) }),
      removed.length > 0 && t('design.removedNodes', { names: names(removed) }),
      pages !== 0 && before !== null && t('paper.pagesChanged', { count: now.pages.length }),
      settings && t('paper.settingsChanged'),
    ].filter((line) => typeof line === 'string')
  }
}
