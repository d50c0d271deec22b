import type { FormField, FormLoad } from '@/api/types'
import { unsentKey } from '@/lib/unsaved-store'
import type { UnsavedField, UnsavedInput, UnsavedOf } from '@/sdk/unsaved-forms'
import type { RecordKey } from '../api'
import type { Values } from '../rules/values'

/** Each form a person may have open has its own place: new records by what they begin with. Below it each beginning has its own. */
export function placeOf(user: string, key: RecordKey): string {
  const begin = key.objectId
    ? [key.objectId, '', '']
    : ['new', key.copyFrom ?? '', key.relation ? `${key.relation.propertyCode}=${key.relation.id}` : '']
  return unsentKey(user, [key.schemaCode, key.sheetCode ?? '', ...begin])
}

/** What a form asks for, as a short text: it changes when fields come, go, change their type or become read-only. */
export function formDigest(fields: FormField[]): string {
  const text = fields.map((f) => `${f.propertyCode}:${f.propertyType}:${f.readOnly ? 'r' : 'w'}`).join(';')
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0
  return hash.toString(36)
}

/** The entry of changes, as changesOf gives them. */
export function unsavedOf(load: FormLoad, version: number | null, base: Values, changes: Values): UnsavedInput {
  const fields: Record<string, UnsavedField> = {}
  for (const field of load.form.fields) {
    const code = field.propertyCode
    if (code in changes) fields[code] = { type: field.propertyType, base: base[code] ?? null, mine: changes[code] }
  }
  return { version, form: formDigest(load.form.fields), fields }
}

/** The fields that can still be filled in: there, writable, and of the type they had. */
export function fitting(unsent: UnsavedInput, fields: FormField[]): Record<string, UnsavedField> {
  const out: Record<string, UnsavedField> = {}
  for (const field of fields) {
    const kept = Object.hasOwn(unsent.fields, field.propertyCode) ? unsent.fields[field.propertyCode] : undefined
    if (kept && !field.readOnly && kept.type === field.propertyType) out[field.propertyCode] = kept
  }
  return out
}

/** Where a form is gone on with: at the address of its window, unless that is of another page which opened it over itself. */
export function addressOf(key: RecordKey, { pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  const query = new URLSearchParams(search)
  const own = query.get('schemaCode') === key.schemaCode || query.has('startWorkflowCode') || query.has('workItemId')
  if (pathname === '/form/detail' && own) return `${pathname}${search}`
  const { schemaCode, sheetCode, objectId } = key
  const at = { schemaCode, ...(sheetCode ? { sheetCode } : {}), ...(objectId ? { key: objectId } : {}) }
  return `/form/detail?${new URLSearchParams(at)}`
}

/** What an entry says of its form. */
export const formOf = ({ form }: FormLoad, address: string): UnsavedOf => ({
  schemaCode: form.schemaCode,
  name: form.modelName,
  name_i18n: form.modelName_i18n ?? null,
  address,
})
