import { type Filters, operandOf } from './conditions'

/** Filters as an address has them: `f.result=OK;BAD&l.inspector=赵启明&o.amount=GreaterThan`. */
export const isFilterKey = (key: string) => /^[flo]\..+$/.test(key)

interface Read {
  filters: Filters
  /** Operators by code that the address names without anything to compare with. */
  bare: Record<string, string>
}

export function readFilters(search: URLSearchParams): Read {
  const filters: Filters = {}
  for (const [key, given] of search) {
    const value = given.replaceAll('\0', '') // no database takes it
    if (!key.startsWith('f.')) continue
    const code = key.slice(2)
    const label = search.get(`l.${code}`)
    const operator = search.get(`o.${code}`)
    const holds = value || (operator && operandOf(operator) === 'nothing')
    filters[code] = holds ? { value, ...(label ? { label } : {}), ...(operator ? { operator } : {}) } : null
  }
  const bare: Record<string, string> = {}
  for (const [key, operator] of search) {
    if (!key.startsWith('o.')) continue
    const code = key.slice(2)
    if (filters[code]) continue
    if (operandOf(operator) === 'nothing' && !search.has(`f.${code}`)) filters[code] = { value: '', operator }
    else bare[code] = operator
  }
  return { filters, bare }
}

/** Puts filters into an address that has none. */
export function writeFilters(search: URLSearchParams, filters: Filters): void {
  for (const [code, filter] of Object.entries(filters)) {
    search.set(`f.${code}`, filter?.value ?? '')
    if (filter?.label) search.set(`l.${code}`, filter.label)
    if (filter?.operator) search.set(`o.${code}`, filter.operator)
  }
}
