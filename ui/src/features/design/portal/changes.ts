import { useText } from '@/sdk/use-text'
import { everyWidget, type Page, type Widget } from './page'
import type { PortalWords } from './words'

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const own = ({ widgets: _, x: _x, y: _y, width: _w, height: _h, ...rest }: Widget) => rest

const box = ({ x, y, width, height }: Widget) => [x, y, width, height]

/** How many lines a text gained and lost; null: it is the same. */
function linesOf(before: unknown, now: unknown): { added: number; removed: number } | null {
  const [old, next] = [before, now].map((text) => (typeof text === 'string' ? text.split('\n') : []))
  if (!old || !next || old.join('\n') === next.join('\n')) return null
  const rest = new Map<string, number>()
  for (const line of old) rest.set(line, (rest.get(line) ?? 0) + 1)
  let kept = 0
  for (const line of next) {
    const left = rest.get(line) ?? 0
    if (left > 0) kept++
    rest.set(line, left - 1)
  }
  return { added: next.length - kept, removed: old.length - kept }
}

/** Widgets that were added, changed, moved or removed, known by their codes, or by what is in them. */
export function changesOf(before: Page | null, now: Page) {
  const left = before ? everyWidget(before).map(({ widget }) => widget) : []
  const take = (test: (one: Widget) => boolean) => {
    const at = left.findIndex(test)
    return at < 0 ? undefined : left.splice(at, 1)[0]
  }
  const added: Widget[] = []
  const changed: Widget[] = []
  const moved: Widget[] = []
  const all = everyWidget(now).map(({ widget }) => widget)
  const rest = all.filter((widget) => {
    const old = take((one) =>
      widget.code !== undefined ? one.code === widget.code && one.type === widget.type : same(one, widget),
    )
    if (!old) return true
    if (!same(own(old), own(widget))) changed.push(widget)
    else if (!same(box(old), box(widget))) moved.push(widget)
    return false
  })
  for (const widget of rest) {
    const old =
      widget.code === undefined
        ? (take((one) => one.code === undefined && same(own(one), own(widget))) ??
          take((one) => one.code === undefined && one.type === widget.type))
        : undefined
    if (!old) added.push(widget)
    else if (same(own(old), own(widget))) moved.push(widget)
    else changed.push(widget)
  }
  const { widgets: _, scriptText, ...settings } = now
  const { widgets: __, scriptText: scriptBefore, ...settingsBefore } = before ?? { widgets: [] }
  const script = linesOf(scriptBefore, scriptText)
  return { added, changed, moved, removed: left, settings: !same(settings, settingsBefore), script }
}

/** The same in words. */
export function useChangeWords(words: PortalWords) {
  const t = useText()
  return (before: Page | null, now: Page) => {
    const { added, changed, moved, removed, settings, script } = changesOf(before, now)
    const names = (list: Widget[]) => {
      const [first = '', ...more] = [...new Set(list.map(words.widget))]
      const some = [first, ...more.slice(0, 4)].join(t('design.comma'))
      return more.length > 4 ? t('paper.andMore', { names: some, count: list.length }) : some
    }
    return [
      added.length > 0 && t('design.addedNodes', { names: names(added) }),
      changed.length > 0 && t('design.changedNodes', { names: names(changed) }),
      moved.length > 0 && t('portalDesign.movedWidgets', { names: names(moved) }),
      removed.length > 0 && t('design.removedNodes', { names: names(removed) }),
      script && t('portalDesign.scriptChanged', script),
      settings && before !== null && t('portalDesign.settingsChanged'),
    ].filter((line) => typeof line === 'string')
  }
}
