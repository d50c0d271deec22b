import { readStored, writeStored } from '@/lib/stored'

const SIZES = 'page_sizes'
const isSizes = (value: unknown): value is Record<string, number> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const sizeKey = (list: string, user: string | undefined) => `${user ?? ''}/${list}`

/** Keeps how many rows somebody wants of a list. */
export function rememberSize(list: string, user: string | undefined, size: number) {
  writeStored(SIZES, { ...readStored(SIZES, isSizes), [sizeKey(list, user)]: size })
}

/** How many rows somebody wanted of a list last, if that is one of the sizes that it offers. */
export function rememberedSize(list: string, user: string | undefined, sizes: readonly number[]): number | undefined {
  const own = readStored(SIZES, isSizes)?.[sizeKey(list, user)]
  return own && sizes.includes(own) ? own : undefined
}
