import type { Break } from './breaks.mjs'
import type { ChangedFile } from './changed.mjs'

export interface Pool {
  breaks: Break[]
  want: number
}

export function shuffled<T>(list: T[], seed: number): T[]
export function draw(pools: Pool[], compile: (breaks: Break[]) => boolean[]): Break[]
export interface FilePool extends Pool {
  file: string
}

export function poolsOfChange(
  files: ChangedFile[],
  breaksOf: (file: string) => Break[],
  count: number,
  most: number,
  seed: number,
): FilePool[]
