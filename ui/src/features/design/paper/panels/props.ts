import type { PrintDesign, PrintModel } from '../api'
import type { Element } from '../template'
import type { PaperWords } from '../words'

/** What the panel of an element gets. */
export interface PanelProps {
  /** The first of those that are chosen; all are of its type. */
  element: Element
  /** More than one is chosen: what belongs to each of them is not asked. */
  several: boolean
  model: PrintModel | undefined
  design: PrintDesign
  words: PaperWords
}
