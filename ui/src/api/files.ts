import { ApiError, address, exchange, fetchResponse, ownHeaders } from './client'
import { seeAs } from './see-as'
import type { StoredFile } from './types'

export interface UploadOptions {
  /** The field that the file is for; one of a sub-table is "items.photos". */
  schemaCode: string
  propertyCode: string
  signal: AbortSignal
  /** From 0 to 1; at 1 everything is sent, and the server looks at it. */
  onProgress: (share: number) => void
}

const UPLOAD = '/api/aliyun/upload'
const DOWNLOAD = '/api/aliyun/download'

/** Where a file is fetched: to keep it, to look at it, or as a small picture. */
export function fileAddress(refId: string, as: 'attachment' | 'inline' | 'thumb' = 'attachment'): string {
  return address(DOWNLOAD, { refId, ...(as === 'attachment' ? {} : { [as]: 1 }), seeAs: seeAs()?.pass })
}

type SendOptions = Pick<UploadOptions, 'signal' | 'onProgress'> & { fields?: Record<string, string> }

/** Sends a file with XMLHttpRequest, since fetch does not say how far it got. */
function transfer(url: string, file: File, { signal, onProgress, fields = {} }: SendOptions): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    const settle = (end: () => void) => () => {
      signal.removeEventListener('abort', stop)
      end()
    }
    request.open('POST', url)
    for (const [name, value] of Object.entries(ownHeaders())) request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total)
    request.onload = settle(() => {
      const id = request.getResponseHeader('X-Request-Id')
      resolve(new Response(request.responseText, { status: request.status, headers: id ? { 'X-Request-Id': id } : {} }))
    })
    request.onerror = settle(() => reject(new ApiError('', { code: 0, status: 0 })))
    request.onabort = settle(() => reject(new DOMException('', 'AbortError')))
    signal.addEventListener('abort', stop)
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('file', file, file.name)
    request.send(form)
  })
}

/** Sends a file to an address of the contract; refusals and a session that is over are those of every other call. */
export function sendFile(url: string, file: File, options: SendOptions): Promise<unknown> {
  options.signal.throwIfAborted()
  return exchange(url, () => transfer(url, file, options))
}

/** Uploads a file for a field. */
export async function uploadFile(file: File, options: UploadOptions): Promise<StoredFile> {
  const { schemaCode, propertyCode } = options
  return (await sendFile(address(UPLOAD, { schemaCode, propertyCode }), file, options)) as StoredFile
}

/** The name that the server gives a file, in either spelling of the header. */
export function nameOfFile(disposition: string | null): string {
  const long = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (long) return decodeURIComponent(long)
  return /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1] ?? 'download'
}

/** Fetches a file that the server makes, with its name. `body`: it is asked for by POST. */
export async function fetchFile(url: string, body?: unknown): Promise<{ blob: Blob; name: string }> {
  const response = await fetchResponse(url, body)
  return { blob: await response.blob(), name: nameOfFile(response.headers.get('Content-Disposition')) }
}

/** Gives a file to the browser, which saves it. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Fetches a file and gives it to the browser, which saves it. */
export async function downloadFile(url: string): Promise<void> {
  const { blob, name } = await fetchFile(url)
  saveFile(blob, name)
}

const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Pictures that every browser shows; others (drawings, photos in a camera's own format) are downloaded. */
export const isPicture = (file: StoredFile) => file.isImage && !file.gone && SHOWN.has(file.mimeType)
