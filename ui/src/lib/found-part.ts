import type { Match } from './find-choice'

/** Positions of the characters of a text that a search has found: of all that was typed, else of each of its words. */
export function foundPart(text: string, typed: string, match: Match): number[] {
  const whole = match(text, typed)
  if (whole) return whole
  const words = typed.split(/\s+/).filter(Boolean)
  if (words.length < 2) return []
  return words.flatMap((word) => match(text, word) ?? [])
}
