import { ApiError, address, exchange, ownHeaders } from './client'
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
  return address(DOWNLOAD, { refId, ...(as === 'attachment' ? {} : { [as]: 1 }) })
}

/** Sends a file with XMLHttpRequest, since fetch does not say how far it got. */
function sendFile(url: string, file: File, { signal, onProgress }: UploadOptions): Promise<Response> {
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
    form.append('file', file, file.name)
    request.send(form)
  })
}

/** Uploads a file for a field; refusals and a session that is over are those of every other call. */
export async function uploadFile(file: File, options: UploadOptions): Promise<StoredFile> {
  options.signal.throwIfAborted()
  const { schemaCode, propertyCode } = options
  const url = address(UPLOAD, { schemaCode, propertyCode })
  return (await exchange(url, () => sendFile(url, file, options))) as StoredFile
}
