import { scriptError } from './faults'

/** A text of at most so many characters that a script gave; other values are faults of the script. */
export function text(value: unknown, most: number, what: string): string {
  if (typeof value === 'string' && value.length <= most) return value
  throw scriptError('result', what)
}
