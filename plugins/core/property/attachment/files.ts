import type { StoredFile } from '@sluice/sdk'

/** What a value holds of a file. */
export type Attachment = StoredFile

const UNITS = ['B', 'KB', 'MB', 'GB'] as const

/** A size as people say it: at most one decimal, and none that is zero. */
export function sizeText(bytes: number): string {
  let size = bytes
  let unit = 0
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024
    unit++
  }
  return `${Number(size.toFixed(size < 100 ? 1 : 0))} ${UNITS[unit]}`
}

/** The last part of a name in capitals, as people name kinds of files: "PDF". Empty when there is none. */
export function extension(name: string): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot + 1).toUpperCase() : ''
}

const KINDS: Record<string, string[]> = {
  pdf: ['PDF'],
  words: ['DOC', 'DOCX', 'WPS', 'RTF', 'ODT', 'TXT', 'MD'],
  figures: ['XLS', 'XLSX', 'CSV', 'ET', 'ODS'],
  slides: ['PPT', 'PPTX', 'DPS', 'ODP'],
  drawing: ['DWG', 'DXF', 'DWF', 'RVT', 'IFC', 'SKP'],
  archive: ['ZIP', 'RAR', '7Z', 'TAR', 'GZ'],
  film: ['MP4', 'MOV', 'AVI', 'MKV', 'WEBM'],
  sound: ['MP3', 'WAV', 'M4A', 'AAC', 'FLAC'],
  picture: ['PNG', 'JPG', 'JPEG', 'GIF', 'WEBP', 'BMP', 'TIF', 'TIFF', 'HEIC', 'SVG'],
}

/** The family of a file, which its tile is coloured by. */
export function kindOf(name: string): string {
  const ending = extension(name)
  return Object.keys(KINDS).find((kind) => KINDS[kind]?.includes(ending)) ?? 'other'
}

export const isPdf = (file: Attachment) => file.mimeType === 'application/pdf'
