import type { Right } from '@/sdk/access/api'

/** The pack of the product itself: authors write no documents of it. */
export const CORE = 'core'

/** A grant as an access document writes it. */
export interface Grant {
  schemaCode: string
  actions: string[]
  rows?: string
  editRows?: string
  fields?: Record<string, Right>
  description?: unknown
}

/** An access document. What the page does not show of it stays as it is. */
export interface RoleDocument {
  name?: string
  name_i18n?: Record<string, string>
  includes?: string[]
  permissions?: string[]
  apps?: string[]
  models?: Grant[]
  [key: string]: unknown
}

/** The words that a rule of records can be, besides a condition. */
export const RULES = ['all', 'own', 'department', 'departmentTree'] as const

/** Which choice a rule is. */
export function ruleOf(rows: string | undefined): 'none' | 'condition' | (typeof RULES)[number] {
  if (rows === undefined) return 'none'
  return RULES.find((one) => one === rows) ?? 'condition'
}

/** A document without what is empty, as an author would write it: in the order of docs/authoring.md. */
export function writeDocument(of: RoleDocument): string {
  const { $schema, name, name_i18n, description, renamedFrom, includes, permissions, apps, actions, models, ...rest } =
    of
  const filled = (list: unknown) => (Array.isArray(list) && list.length === 0 ? undefined : list)
  const names = name_i18n && Object.fromEntries(Object.entries(name_i18n).filter(([, text]) => text !== ''))
  const out = {
    $schema,
    name,
    name_i18n: names && Object.keys(names).length > 0 ? names : undefined,
    description,
    renamedFrom,
    includes: filled(includes),
    permissions: filled(permissions),
    apps: filled(apps),
    actions: filled(actions),
    models: filled(
      models?.map(({ schemaCode, actions, rows, editRows, fields, ...others }) => ({
        schemaCode,
        actions,
        rows,
        editRows,
        fields: fields && Object.keys(fields).length > 0 ? fields : undefined,
        ...others,
      })),
    ),
    ...rest,
  }
  return `${JSON.stringify(out, null, 2)}\n`
}

/** The record that an address of a record page is of. */
export function recordOf(link: string): { schemaCode?: string; objectId: string } | null {
  const text = link.trim()
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(text)) return { objectId: text }
  try {
    const query = new URL(text, window.location.origin).searchParams
    const [objectId, schemaCode] = [
      query.get('objectId') ?? query.get('key') ?? query.get('record'),
      query.get('schemaCode'),
    ]
    return objectId ? { objectId, ...(schemaCode && { schemaCode }) } : null
  } catch {
    return null
  }
}
