import type { components } from '@/api/schema.gen'

export type Diagnostic = components['schemas']['Diagnostic']

/** What the compiler says, with the keys below the part of the document that it is about. */
export interface Problem extends Diagnostic {
  path: string[]
  /** The name of the part that it is about, where a list of problems says so. */
  about?: string
}

/** The keys of a JSON pointer. */
export const keysOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Those at a key or below it. */
export const at = <P extends Problem>(problems: P[], path: (string | number)[]) =>
  problems.filter((one) => path.every((key, i) => one.path[i] === String(key)))
