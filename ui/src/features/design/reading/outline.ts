import { type Bag, isBag } from '../shared/json'

/** A line of a document's outline: what it is called, what there is to know of it, and what it holds. */
export interface Line {
  name: string
  facts: string[]
  lines: Line[]
}

/** The keys of a document that name it. */
interface Named {
  name?: string
  name_i18n?: Record<string, string>
  code?: string
}

/** Turns an object of a document into its name in the language of the reader. */
export type NameOf = (of: Named) => string

const list = (value: unknown): Bag[] => (Array.isArray(value) ? value.filter(isBag) : [])
const word = (value: unknown) => (typeof value === 'string' ? [value] : [])

/** A part that is named by a code alone, as groups of a report may be. */
const part = (value: unknown, nameOf: NameOf): Line =>
  isBag(value)
    ? {
        name: nameOf(value) || word(value.propertyCode).join(''),
        facts: [...word(value.sumType), ...word(value.unit)],
        lines: [],
      }
    : { name: String(value), facts: [], lines: [] }

const parts = (value: unknown, nameOf: NameOf): Line[] =>
  Array.isArray(value) ? value.map((one) => part(one, nameOf)) : []

/** The data sets of a report with their groups and figures. */
export const dataSetsOf = (document: Bag, nameOf: NameOf): Line[] =>
  list(document.dataSets).map((one) => ({
    name: nameOf(one) || word(one.code).join(''),
    facts: [...word(one.schemaCode), ...word(one.condition)],
    lines: [...parts(one.groups, nameOf), ...parts(one.measures, nameOf)],
  }))

/** The charts of a report with the data set that each draws. */
export const chartsOf = (document: Bag, nameOf: NameOf): Line[] =>
  list(document.charts).map((one) => ({
    name: nameOf(one),
    facts: [...word(one.chartType), ...word(one.dataSet)],
    lines: [],
  }))

/** The items of a dictionary with those below them. */
export const itemsOf = (document: Bag, nameOf: NameOf): Line[] =>
  list(document.items).map((one) => ({ name: nameOf(one), facts: word(one.code), lines: itemsOf(one, nameOf) }))
