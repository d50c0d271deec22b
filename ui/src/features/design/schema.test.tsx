import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadAllTexts, loadLaterTexts, startI18n } from '@/i18n/i18n'
import schema from '../../../../plugins/core/kind/workflow/schema.json'
import type { Design, DesignModel } from './api'
import type { Flow, FlowNode } from './document'
import { PlaceProvider } from './form'
import { NodePanel } from './node-panel'
import { SettingsPanel } from './settings-panel'
import type { Bag } from './shared/json'

// Everything that a workflow document may say can be set in the panels, and the panels set nothing that it may not say. The JSON Schema of workflows makes
// documents that say all they can; the panels draw them, and each property that a panel reads is noted.

interface Shape {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Shape | false>
  items?: Shape
  allOf?: (Shape & { if?: Shape; then?: Shape; else?: Shape })[]
  additionalProperties?: Shape | boolean
  patternProperties?: object
}

/** What is not set by a field of a panel, and how else. */
const ELSEWHERE: Record<string, string> = {
  $schema: 'kept as it is',
  renamedFrom: 'belongs to files: the browser cannot rename a workflow',
  layout: 'drawn by the canvas',
  nodes: 'drawn',
  next: 'drawn',
  id: 'given when a node is added; the panel shows it',
  type: 'chosen when a node is added',
  to: 'drawn',
  exit: 'the panel of the node that disagrees',
  of: 'a join belongs to its split',
  order: 'by moving branches; edit.ts numbers them',
  description: 'notes inside of parts are written in the source; nodes and workflows have a field',
  'JOIN.name_i18n': 'drawn without a name',
  'JOIN.name_i18n.en': 'drawn without a name',
  'WAIT.time.tellSuperior': 'nobody is late where nobody waits',
}
const isElsewhere = (name: string) => name in ELSEWHERE || name.slice(name.lastIndexOf('.') + 1) in ELSEWHERE
const DEFS = schema.$defs as unknown as Record<string, Shape>

function resolve(shape: Shape): Shape {
  const name = shape.$ref?.slice('#/$defs/'.length)
  if (name === undefined) return shape
  const { $ref: _, ...own } = shape
  const common: Shape =
    name === 'labels' ? { type: 'object', properties: { en: { type: 'string' } } } : { type: 'string' }
  return { ...(DEFS[name] ? resolve(DEFS[name]) : common), ...own }
}

/** The properties of an object whose discriminators have these values. */
function propertiesOf(shape: Shape, of: Bag): Record<string, Shape> {
  const own = resolve(shape)
  const found: Record<string, Shape> = {}
  const add = (more: Shape | undefined) => {
    if (!more) return
    for (const [key, one] of Object.entries(resolve(more).properties ?? {})) {
      if (one === false) delete found[key]
      else found[key] = one
    }
  }
  add(own)
  for (const { if: when, then, else: other } of own.allOf ?? []) {
    const holds = Object.entries(when?.properties ?? {}).every(([key, one]) => {
      const test = one as Shape
      return test.const !== undefined ? of[key] === test.const : test.enum?.includes(of[key])
    })
    if (when?.properties) add(holds ? then : other)
  }
  return found
}

/** A value that says everything; which of several values is by round. */
function sample(shape: Shape, round: number, given: Bag = {}, depth = 0): unknown {
  const own = resolve(shape)
  if (own.enum) return own.enum[round % own.enum.length]
  const type = Array.isArray(own.type) ? own.type.at(-1) : own.type
  if (type === 'boolean') return round % 2 === 0
  if (type === 'integer' || type === 'number') return 5
  if (type === 'array') {
    const items = own.items as Shape
    const kinds = choiceOf(items)
    if (kinds && kinds.values.length > 10 && depth > 2) return [] // people within people are the same again
    return kinds
      ? kinds.values.map((value) => sample(items, round, { [kinds.key]: value }, depth + 1))
      : [sample(items, round, {}, depth + 1)]
  }
  if (own.properties || own.allOf)
    return Object.fromEntries(
      Object.entries(propertiesOf(own, given)).map(([key, one]) => [
        key,
        given[key] ?? sample(one, round, {}, depth + 1),
      ]),
    )
  if (type === 'object') return {}
  return 'text'
}

/** The property whose value says what else an object may have. */
function choiceOf(shape: Shape): { key: string; values: unknown[] } | null {
  const { allOf, properties } = resolve(shape)
  const key = Object.keys(allOf?.[0]?.if?.properties ?? {})[0]
  const named = key ? properties?.[key] : undefined
  return key && named ? { key, values: named.enum ?? [] } : null
}

/** Names of all properties below, with their place; entries of lists by their kind. */
function named(shape: Shape, of: unknown, at: string, found: Set<string>) {
  const own = resolve(shape)
  if (Array.isArray(of)) for (const one of of) named(own.items as Shape, one, at, found)
  else if (typeof of === 'object' && of !== null)
    for (const [key, one] of Object.entries(propertiesOf(own, of as Bag))) {
      const name = `${at}.${key}`
      found.add(name)
      if ((of as Bag)[key] !== undefined) named(one, (of as Bag)[key], name, found)
    }
}

/** The same value; says which properties are read. */
function watched<T>(of: T, at: string, read: (name: string) => void): T {
  if (typeof of !== 'object' || of === null) return of
  return new Proxy(of as object, {
    get(target, key) {
      const value = Reflect.get(target, key)
      if (typeof key !== 'string' || (Array.isArray(target) && !/^\d+$/.test(key))) return value
      if (Array.isArray(target)) return watched(value, at, read)
      read(`${at}.${key}`)
      return watched(value, `${at}.${key}`, read)
    },
  }) as T
}

const label = { zh: '甲' }
const model = { schemaCode: 'm', label, forms: [], properties: [] } as unknown as DesignModel
const design = { appCode: 'a', models: [], roles: [], workflows: [], services: [], rules: [] } as unknown as Design
const flow: Flow = { schemaCode: 'm', nodes: [] }

function draw(panel: ReactNode, of: Bag, node: FlowNode | null, whole: Flow) {
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <PlaceProvider value={{ of, problems: [], set: () => {}, flow: whole, node, design, model }}>
        {panel}
      </PlaceProvider>
    </QueryClientProvider>,
  )
}

/** Documents of a node that together say all that it may say. */
function samplesOf(type: string): FlowNode[] {
  const rounds = { APPROVE: 5, FILL: 4, SERVICE: 3, SPLIT: 2, WAIT: 2 }[type] ?? 1
  return Array.from({ length: rounds }, (_, round) => {
    const node = sample(DEFS.node as Shape, round, { type }) as FlowNode
    if (round > 0 && node.participants) node.participants = []
    const one = ['service', 'rule', 'http'][round]
    const either = {
      SERVICE: ['service', 'rule', 'http'].filter((key) => key !== one),
      WAIT: round > 0 ? ['until'] : ['signal', 'key'],
    }
    for (const key of either[type as 'WAIT'] ?? []) delete node[key]
    return node
  })
}

beforeAll(async () => {
  await startI18n()
  await loadAllTexts()
  await loadLaterTexts()
})

describe('the panels against the schema of workflows', () => {
  const types = choiceOf(DEFS.node as Shape)?.values as string[]
  it.each(types.filter((type) => type !== 'JOIN'))('sets all of %s', (type) => {
    const read = new Set<string>()
    const allowed = new Set<string>()
    for (const node of samplesOf(type)) {
      named(DEFS.node as Shape, node, type, allowed)
      const seen = watched(node, type, (name) => read.add(name))
      const joined = { ...(sample(DEFS.node as Shape, 2, { type: 'JOIN' }) as FlowNode), of: node.id }
      if (type === 'SPLIT') named(DEFS.node as Shape, joined, 'JOIN', allowed)
      const nodes = type === 'SPLIT' ? [watched(joined, 'JOIN', (name) => read.add(name))] : []
      draw(<NodePanel node={seen} change={() => {}} />, seen, seen, { ...flow, nodes })
    }
    compare(allowed, read)
  })
  it('offers every value', () => {
    const files = readdirSync(__dirname, { recursive: true }) as string[]
    const source = files
      .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
      .map((name) => readFileSync(join(__dirname, name), 'utf8'))
      .join('\n')
    const values = JSON.stringify(schema).matchAll(/"enum":(\[[^\]]*\])/g)
    const all = [...values].flatMap(([, list]) => JSON.parse(list ?? '[]') as unknown[])
    expect(all.length).toBeGreaterThan(80)
    expect(all.filter((one) => typeof one === 'string' && !new RegExp(`\\b${one}\\b`).test(source))).toEqual([])
  })
  it('sets all of a workflow', () => {
    const read = new Set<string>()
    const allowed = new Set<string>()
    for (const round of [1, 2]) {
      const whole = { ...(sample(schema as Shape, round) as Flow), nodes: [] }
      named({ ...(schema as Shape) }, whole, 'workflow', allowed)
      const seen = watched(whole, 'workflow', (name) => read.add(name))
      draw(<SettingsPanel />, seen, null, seen)
    }
    compare(allowed, read)
  })
})

function compare(allowed: Set<string>, read: Set<string>) {
  const missing = [...allowed].filter((name) => !read.has(name) && !isElsewhere(name))
  const extra = [...read].filter((name) => !allowed.has(name))
  expect({ missing: missing.sort(), extra: extra.sort() }).toEqual({ missing: [], extra: [] })
}
