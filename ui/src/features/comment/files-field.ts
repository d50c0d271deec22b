import type { FormField } from '@/api/types'

/** The property type whose parts upload and show the files of comments. */
export const ATTACHMENT = 6

/** What a comment takes, as the server does (runtime/comment). */
const LIMITS = { maxCount: 9, maxSize: 100 * 1024 * 1024 }

/** A field of no model: its uploads belong to their author until a comment holds them. */
export const filesField = (name: string): FormField => ({
  propertyCode: '',
  propertyType: ATTACHMENT,
  name,
  name_i18n: {},
  settings: LIMITS,
})
