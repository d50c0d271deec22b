import { keysBelow, readUnsent } from '@/lib/unsaved-store'

/** What an entry says of its form, so that it can be listed and opened without that form. */
export interface UnsavedOf {
  schemaCode: string
  name: string
  name_i18n: Record<string, string> | null
  /** Where it is gone on with. */
  address: string
}

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
  of?: UnsavedOf
}

export interface FoundInput extends UnsavedInput {
  at: number
}

export interface WaitingForm extends FoundInput {
  key: string
}

/** Names the entry that a form is to offer first. */
export const UNSAVED_PARAM = 'unsaved'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isOf = (of: unknown): of is UnsavedOf =>
  isObject(of) && typeof of.schemaCode === 'string' && typeof of.name === 'string' && typeof of.address === 'string'

/** What waits at a place; storage is not to be trusted with shapes. */
export function findUnsaved(place: string): FoundInput | null {
  const found = readUnsent(place)
  if (!found || !isObject(found.value)) return null
  const { version, form, fields, of } = found.value
  if ((version !== null && typeof version !== 'number') || typeof form !== 'string' || !isObject(fields)) return null
  const good = Object.entries(fields).filter(([, field]) => isObject(field) && typeof field.type === 'number')
  if (good.length === 0) return null
  const known = isOf(of) ? { of } : {}
  return { at: found.at, version, form, fields: Object.fromEntries(good) as Record<string, UnsavedField>, ...known }
}

/** The input that waits at a place and below it, the newest first. */
export const waitingForms = (place: string): WaitingForm[] =>
  keysBelow(place)
    .flatMap((key) => {
      const found = findUnsaved(key)
      return found ? [{ ...found, key }] : []
    })
    .sort((a, b) => b.at - a.at)

/**
 * Says that a form is open that writes to a place, until the answer is called. Other windows don't offer its input meanwhile. Browsers have
 * locks on pages with TLS and on localhost only; elsewhere input of an open window is offered too, and is only copied.
 */
export function holdPlace(place: string): () => void {
  const { locks } = navigator
  if (!locks) return () => {}
  let free = () => {}
  const gone = new Promise<void>((done) => {
    free = done
  })
  void locks.request(place, () => gone).catch(() => {})
  return free
}

/** The places that open windows write to. */
export async function heldPlaces(): Promise<Set<string>> {
  const told = await navigator.locks?.query().catch(() => null)
  return new Set((told?.held ?? []).flatMap(({ name }) => name ?? []))
}
