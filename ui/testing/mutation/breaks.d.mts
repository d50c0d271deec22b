export interface Break {
  file: string
  kind: 'expression' | 'statement'
  start: number
  end: number
  with: string
  /** Its line, from 1, and the text of that line. */
  line: number
  lineText: string
  /** What is broken and what it becomes, as it is shown. */
  change: string
  /** A statement of a list begins with it. */
  begins: boolean
  /** It is evaluated when the module is loaded. */
  top: boolean
  touched?: boolean
}

export function breaksIn(file: string, source: string): Break[]
export function broken(source: string, one: Break): string
export function switched(source: string, breaks: (Break & { number: number })[]): string
