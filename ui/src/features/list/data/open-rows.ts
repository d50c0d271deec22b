const MOST = 500

const keyOf = (schemaCode: string) => `${schemaCode}_open_rows`

function readAll(schemaCode: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(keyOf(schemaCode)) ?? 'null')
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? { ...found } : {}
  } catch {
    return {}
  }
}

/** Rows of a tree or a chart that stand open in this tab; null as long as nobody opened or closed any. */
export function readOpenRows(schemaCode: string, queryCode: string): string[] | null {
  const found = readAll(schemaCode)[queryCode]
  return Array.isArray(found) ? found.filter((id): id is string => typeof id === 'string') : null
}

/** Remembers which rows stand open; of very many those that were opened last. */
export function writeOpenRows(schemaCode: string, queryCode: string, ids: Iterable<string>) {
  try {
    const all = { ...readAll(schemaCode), [queryCode]: [...ids].slice(-MOST) }
    sessionStorage.setItem(keyOf(schemaCode), JSON.stringify(all))
  } catch {
    // Without a storage the rows are closed after a reload.
  }
}
