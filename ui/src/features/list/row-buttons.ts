import { textWidth } from './use-needed-widths'

/** Buttons of a row that stand in words; the others are behind More. */
export const ACTIONS_INLINE = 3
/** A longer name is cut, and read in full when it is pointed at. */
export const LONGEST_LABEL = 7

export function shownLabel(label: string): string {
  const chars = [...label]
  return chars.length > LONGEST_LABEL ? `${chars.slice(0, LONGEST_LABEL).join('')}…` : label
}

/** Where the name of a button ends; the full name stays for those who hear it. */
export const labelWidth = (label: string) => ({ maxWidth: `${Math.ceil(textWidth(shownLabel(label))) + 1}px` })

const PADDING = 24
const GAP = 12

/** Room for the first buttons, and for More when there are others. */
export function buttonsWidth(labels: string[], more: string): number {
  const shown = labels.slice(0, ACTIONS_INLINE).map(shownLabel)
  if (labels.length > ACTIONS_INLINE) shown.push(more)
  return Math.ceil(PADDING + shown.reduce((sum, label) => sum + textWidth(label) + GAP, 0))
}
