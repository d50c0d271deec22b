import { type Bag, isBag } from '../shared/json'

// What the options of a widget are, read from the JSON Schema that the server composes of all types.

export interface SchemaField {
  key: string
  /** The schema of its value, with what it refers to. */
  schema: Bag
  /** The last of the shared definitions that it refers to: title, icon, color, path, ... */
  ref: string | null
  required: boolean
}

/** A schema with the definition that it refers to; keys beside the reference win. */
export function resolved(root: Bag, schema: unknown): { schema: Bag; ref: string | null } {
  let node = isBag(schema) ? schema : {}
  let ref: string | null = null
  for (let depth = 0; depth < 8 && typeof node.$ref === 'string'; depth++) {
    const name = node.$ref.split('/').at(-1) ?? ''
    const definition = isBag(root.$defs) ? root.$defs[name] : undefined
    const { $ref: _, ...own } = node
    ref ??= name
    node = { ...(isBag(definition) ? definition : {}), ...own }
  }
  return { schema: node, ref }
}

const holds = (condition: unknown, value: unknown): boolean => {
  if (!isBag(condition)) return condition !== false
  if (isBag(condition.not) && holds(condition.not, value)) return false
  if ('const' in condition && condition.const !== value) return false
  if (Array.isArray(condition.enum) && !condition.enum.includes(value)) return false
  const bag = isBag(value) ? value : {}
  if (Array.isArray(condition.required) && condition.required.some((key) => bag[String(key)] === undefined))
    return false
  return Object.entries(isBag(condition.properties) ? condition.properties : {}).every(
    ([key, inner]) => bag[key] === undefined || holds(inner, bag[key]),
  )
}

/** What is asked first; the rest follows as the schema has it. */
const FIRST = [
  ...['title', 'componentTitle', 'name', 'icon', 'componentIcon', 'picUrl', 'dataSource', 'schemaCode', 'queryCode'],
  ...['reportCode', 'chartCode', 'dataSet', 'measure', 'actionType', 'gotoType', 'appCode', 'portalCode', 'gotoPage'],
  ...['URL', 'linkUrl', 'condition', 'displayField', 'sortField', 'sortRule'],
]
const rank = (key: string) => {
  const at = FIRST.indexOf(key)
  return at < 0 ? FIRST.length : at
}

/** The fields of an object, as its schema has them for what is in it now. */
export function fieldsOf(root: Bag, of: unknown, value: Bag): SchemaField[] {
  const fields = new Map<string, SchemaField>()
  const required = new Set<string>()
  const walk = (node: unknown, depth: number) => {
    const { schema } = resolved(root, node)
    if (depth > 8) return
    for (const [key, inner] of Object.entries(isBag(schema.properties) ? schema.properties : {})) {
      if (inner === false) fields.delete(key)
      else if (isBag(inner)) fields.set(key, { key, ...resolved(root, inner), required: false })
    }
    for (const key of Array.isArray(schema.required) ? schema.required : []) required.add(String(key))
    for (const part of Array.isArray(schema.allOf) ? schema.allOf : []) {
      if (!isBag(part)) continue
      if (part.if !== undefined) walk(holds(part.if, value) ? part.then : part.else, depth + 1)
      else walk(part, depth + 1)
    }
  }
  walk(of, 0)
  return [...fields.values()]
    .map((field) => ({ ...field, required: required.has(field.key) }))
    .sort((a, b) => rank(a.key) - rank(b.key))
}

/** The schema of the options of a type; null: the server has none. */
export function optionsSchema(root: Bag, type: string): Bag | null {
  const found = isBag(root.$defs) ? root.$defs[`widget_${type}`] : undefined
  return isBag(found) ? found : null
}

const PATHS = ['displayField', 'sortField', 'startField', 'endField', 'colorField', 'longitudeField', 'latitudeField']

/** What depends on a choice, and goes when another is made. */
const DEPEND: Record<string, string[]> = {
  schemaCode: ['queryCode', ...PATHS],
  reportCode: ['chartCode', 'dataSet', 'measure', 'comparison', 'target'],
  dataSet: ['measure', 'comparison', 'target'],
}

/** Sets a key of an object. What the schema has no more for the new value goes, and so does what depended on the old one. */
export function withValue(root: Bag, of: unknown, value: Bag, key: string, to: unknown): Bag {
  if (value[key] === to) return value
  const next: Bag = { ...value }
  if (to === undefined) delete next[key]
  else next[key] = to
  for (const other of DEPEND[key] ?? []) delete next[other]
  if (key === 'dataSource') for (const other of ['schemaCode', 'queryCode', ...PATHS, 'sortRule']) delete next[other]
  const before = fieldsOf(root, of, value).map((field) => field.key)
  const after = new Set(fieldsOf(root, of, next).map((field) => field.key))
  for (const other of before) if (!after.has(other)) delete next[other]
  return next
}

/** Whether something that must be there is missing. */
export const isMissing = (root: Bag, of: unknown, value: Bag): boolean =>
  fieldsOf(root, of, value).some(
    (field) => field.required && (value[field.key] === undefined || value[field.key] === ''),
  )

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The label of a field and what more its description says. Descriptions are written "中文 / English". */
export function wordsOf(schema: Bag, key: string, locale: string): { label: string; hint: string | undefined } {
  const description = typeof schema.description === 'string' ? schema.description : ''
  const at = description.lastIndexOf(' / ')
  const text = at < 0 ? description : locale === 'zh' ? description.slice(0, at) : description.slice(at + 3)
  const [, first = '', rest = ''] = /^(.*?)(?:[，：；]|[;:,] |$)(.*)$/.exec(text.trim()) ?? []
  if (!first) return { label: key, hint: undefined }
  const label = locale === 'zh' ? first : upper(first.replace(/^(the|an|a) /i, ''))
  return { label, hint: rest ? (locale === 'zh' ? rest : upper(rest)) : undefined }
}

/** Units of width: an ASCII character counts 1 and any other 2. */
export const TITLE_UNITS = 30
const unitsOf = (character: string) => ((character.codePointAt(0) ?? 0) < 128 ? 1 : 2)

/** A title that fits. */
export function trimmedTitle(text: string, most = TITLE_UNITS): string {
  let units = 0
  let out = ''
  for (const character of text) {
    units += unitsOf(character)
    if (units > most) break
    out += character
  }
  return out
}
