import { type FormField, numberSetting } from '@sluice/sdk'
import { extension } from './files'

/** What a field takes. */
export interface Limits {
  /** Media types and extensions; empty = everything. */
  accept: string[]
  maxCount: number
  /** Bytes, of one file. */
  maxSize: number
}

export function limitsOf(field: FormField): Limits {
  const accept = (field.settings as Record<string, unknown> | undefined)?.accept
  return {
    accept: Array.isArray(accept) ? accept.map(String) : [],
    maxCount: numberSetting(field, 'maxCount') ?? Number.POSITIVE_INFINITY,
    maxSize: numberSetting(field, 'maxSize') ?? Number.POSITIVE_INFINITY,
  }
}

/** Whether a field takes pictures only, for which a phone offers its camera. */
export const picturesOnly = ({ accept }: Limits) =>
  accept.length > 0 && accept.every((one) => one.startsWith('image/') || PICTURE_ENDINGS.has(one.toLowerCase()))

const PICTURE_ENDINGS = new Set(['.png', '.jpg', '.jpeg', '.gif', '.webp', '.bmp', '.tif', '.tiff', '.heic'])

const mediaType = (file: File) => file.type.toLowerCase().split(';')[0]?.trim() ?? ''

function fits(one: string, file: File): boolean {
  const wanted = one.toLowerCase()
  if (wanted.startsWith('.')) return file.name.toLowerCase().endsWith(wanted)
  if (wanted.endsWith('/*')) return mediaType(file).startsWith(wanted.slice(0, -1))
  return mediaType(file) === wanted
}

export type Refusal = 'badKind' | 'tooLarge' | 'empty'

/** Why a file is not worth sending; null = the server decides. It does so, too, where the browser cannot name the type. */
export function refusalOf(file: File, { accept, maxSize }: Limits): Refusal | null {
  const unsure = mediaType(file) === '' && accept.some((one) => !one.startsWith('.'))
  if (accept.length > 0 && !unsure && !accept.some((one) => fits(one, file))) return 'badKind'
  if (file.size > maxSize) return 'tooLarge'
  return file.size === 0 ? 'empty' : null
}

const FAMILIES = { 'image/*': 'pictures', 'video/*': 'videos', 'audio/*': 'sounds', 'text/*': 'texts' } as const

/** The office types have names that nobody knows. */
const OFFICE: [part: string, word: string][] = [
  ['wordprocessingml', 'DOCX'],
  ['msword', 'DOC'],
  ['spreadsheetml', 'XLSX'],
  ['ms-excel', 'XLS'],
  ['presentationml', 'PPTX'],
  ['ms-powerpoint', 'PPT'],
  ['text/plain', 'TXT'],
]

type Family = (typeof FAMILIES)[keyof typeof FAMILIES]

/** The kinds that a field takes, each once: words of a family by `family`, others as endings in capitals. */
export function kindWords({ accept }: Limits, family: (name: Family) => string): string[] {
  const word = (one: string) => {
    const known = FAMILIES[one.toLowerCase() as keyof typeof FAMILIES]
    if (known) return family(known)
    if (one.startsWith('.')) return extension(`x${one}`)
    return (
      OFFICE.find(([part]) => one.includes(part))?.[1] ??
      (one.split('/')[1] ?? one).replace(/\*|^x-/g, '').toUpperCase()
    )
  }
  return [...new Set(accept.map(word))]
}
