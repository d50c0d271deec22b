import { type Diagnostic, keysOf, type Problem } from '../shared/problems'
import type { Template } from './template'

export interface PaperProblem extends Problem {
  page: number | null
  /** The element that it is about; null: the page, or the template as a whole. */
  element: number | null
}

/** What the compiler said of `checked`, each at the element that it is about in what the template is now. What was removed since has no problem. */
export function problemsOf(diagnostics: Diagnostic[], checked: Template, now: Template): PaperProblem[] {
  return diagnostics.flatMap((one): PaperProblem[] => {
    const keys = one.file.startsWith('prints/') ? keysOf(one.pointer ?? '') : []
    const [first, p, second, e, ...rest] = keys
    if (first !== 'pages' || p === undefined) return [{ ...one, page: null, element: null, path: keys }]
    const page = Number(p)
    if (second !== 'elements' || e === undefined) return [{ ...one, page, element: null, path: keys.slice(2) }]
    const was = checked.pages[page]?.elements[Number(e)]
    if (!was) return []
    for (const [n, of] of now.pages.entries()) {
      const at = of.elements.indexOf(was)
      if (at >= 0) return [{ ...one, page: n, element: at, path: rest }]
    }
    const same = now.pages[page]?.elements[Number(e)]
    return same?.eleType === was.eleType ? [{ ...one, page, element: Number(e), path: rest }] : []
  })
}
