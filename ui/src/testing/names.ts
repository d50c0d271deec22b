import names from '../../../runtime/finder/findertest/names.json'

/** Names that longer ones have: the table that the server's tests use too. */
export const PAIRS = names.pairs as [string, string][]

/** Names that people type by several sounds. */
export const READINGS = names.readings as { name: string; sounds: string[] }[]
