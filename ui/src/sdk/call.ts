import { address, get, post, put, remove } from '@/api/client'
import { downloadFile, sendFile } from '@/api/files'

/** Calls of a pack's own routes, which the product's contract does not know. Failures are an `ApiError`. */
export const packGet = <T>(
  path: string,
  query?: Record<string, string | number | boolean | readonly string[] | undefined>,
  signal?: AbortSignal,
): Promise<T> => get(path as never, query as never, signal ? { signal } : {}) as Promise<T>

export const packPost = <T>(path: string, body?: unknown): Promise<T> =>
  post(path as never, body as never) as Promise<T>

export const packPut = <T>(path: string, body?: unknown): Promise<T> => put(path as never, body as never) as Promise<T>

export const packDelete = <T>(path: string, body?: unknown): Promise<T> => remove(path, body) as Promise<T>

/** Sends a file as the `file` of a form to a pack's route, with the form's other fields. */
export const packSend = <T>(path: string, file: File, fields: Record<string, string> = {}): Promise<T> =>
  sendFile(path, file, { fields, signal: new AbortController().signal, onProgress: () => {} }) as Promise<T>

/** Fetches a file that a pack's route makes, and gives it to the browser, which saves it. */
export const packDownload = (path: string, query?: Record<string, string>): Promise<void> =>
  downloadFile(address(path, query))
