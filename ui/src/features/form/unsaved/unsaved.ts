import type { FormField, FormLoad } from '@/api/types'
import { readUnsent, unsentKey } from '@/lib/unsaved-store'
import type { RecordKey } from '../api'
import type { Values } from '../rules/values'

/** One field of input that was not saved: the value it had when the form was opened, and the one that was typed. */
export interface UnsavedField {
  type: number
  base: unknown
  mine: unknown
}

export interface UnsavedInput {
  /** Version of the record that was edited; null for a new one. */
  version: number | null
  /** Digest of the form it was typed into. */
  form: string
  fields: Record<string, UnsavedField>
}

export interface FoundInput extends UnsavedInput {
  at: number
}

/** Each form a person may have open has its own place: new records by what they begin with. */
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

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What waits at a place; storage is not to be trusted with shapes. */
export function findUnsaved(place: string): FoundInput | null {
  const found = readUnsent(place)
  if (!found || !isObject(found.value)) return null
  const { version, form, fields } = found.value
  if ((version !== null && typeof version !== 'number') || typeof form !== 'string' || !isObject(fields)) return null
  const good = Object.entries(fields).filter(([, field]) => isObject(field) && typeof field.type === 'number')
  if (good.length === 0) return null
  return { at: found.at, version, form, fields: Object.fromEntries(good) as Record<string, UnsavedField> }
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
