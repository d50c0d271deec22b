import { type Diagnostic, keysOf, type Problem } from '../shared/problems'
import { everyWidget, type Page, type Way, widgetAt } from './page'

export interface PortalProblem extends Problem {
  /** The widget that it is about; null: the page. */
  way: Way | null
}

/** The end of a file's name where the line and column are those of the script in it. */
const IN_SCRIPT = '#scriptText'

/** The key that an object lacks: it is said of the object. */
const missing = (one: Diagnostic) => /^缺少键 "(\w+)"/.exec(one.zh)?.[1]

/** What the compiler said of `checked`, each at the widget that it is about in what the page is now. What was removed since has no problem. */
export function problemsOf(diagnostics: Diagnostic[], checked: Page, now: Page): PortalProblem[] {
  const places = checked === now ? null : new Map(everyWidget(now).map(({ widget, way }) => [widget, way]))
  return diagnostics.flatMap((one): PortalProblem[] => {
    if (one.file.endsWith(IN_SCRIPT)) return [{ ...one, way: null, path: ['scriptText'] }]
    const keys = one.file.startsWith('portals/') ? keysOf(one.pointer ?? '') : []
    const way: number[] = []
    let rest = keys
    while (rest[0] === 'widgets' && rest[1] !== undefined) {
      way.push(Number(rest[1]))
      rest = rest.slice(2)
    }
    const key = missing(one)
    if (key) rest = [...rest, key]
    if (way.length === 0) return [{ ...one, way: null, path: keys }]
    const was = widgetAt(checked, way)
    if (!was) return [{ ...one, way: null, path: keys }]
    const at = places ? places.get(was) : way
    if (at) return [{ ...one, way: at, path: rest }]
    // It was changed since: the one in its place, if it is of the same type.
    return widgetAt(now, way)?.type === was.type ? [{ ...one, way, path: rest }] : []
  })
}
