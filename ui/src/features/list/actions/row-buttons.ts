import { textWidth } from '../table/use-needed-widths'

/** Buttons of a row that stand in words; the others are behind More. */
export const ACTIONS_INLINE = 3
/** A name of more characters is read in full when it is pointed at. */
const LONGEST_LABEL = 7

/** What follows the room of seven Chinese characters is cut: two of other scripts take as much. */
export function shownLabel(label: string): string {
  let room = 2 * LONGEST_LABEL
  const shown = [...label].filter((char) => {
    room -= char >= '\u2e80' ? 2 : 1
    return room >= 0
  })
  return room < 0 ? `${shown.join('').trimEnd()}…` : label
}

/** What a button is called when it is pointed at; null where its name says it all. */
export const fullLabel = (label: string) => ([...label].length > LONGEST_LABEL ? label : null)

/** Where the name of a button ends; the full name stays for those who hear it. */
export const labelWidth = (label: string) => ({ maxWidth: `${Math.ceil(textWidth(shownLabel(label))) + 1}px` })

const PADDING = 24
const GAP = 12

/** Room for one mark that all buttons are behind. */
export const MARK_WIDTH = 48

/** Room for the first buttons, and for More when there are others; for a mark alone when none is in words. */
export function buttonsWidth(labels: string[], more: string, inline = ACTIONS_INLINE): number {
  if (inline === 0) return MARK_WIDTH
  const shown = labels.slice(0, inline).map(shownLabel)
  if (labels.length > inline) shown.push(more)
  return Math.ceil(PADDING + shown.reduce((sum, label) => sum + textWidth(label) + GAP, 0))
}

export interface ButtonRoom {
  inline: number
  width: number
}

/** How many buttons stand in words: as many as let their column stay at the edge; all that may where not even a mark does. */
export function roomFor(labels: string[], more: string, stays: (width: number) => boolean): ButtonRoom {
  const rooms = [ACTIONS_INLINE, 2, 1, 0]
    .filter((inline) => inline === ACTIONS_INLINE || inline < labels.length)
    .map((inline) => ({ inline, width: buttonsWidth(labels, more, inline) }))
  return rooms.find(({ width }) => stays(width)) ?? (rooms[0] as ButtonRoom)
}
