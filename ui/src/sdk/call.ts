import { get, post } from '@/api/client'

/** Calls of a pack's own routes, which the product's contract does not know. Failures are an `ApiError`. */
export const packGet = <T>(path: string, query?: Record<string, string | number | boolean>): Promise<T> =>
  get(path as never, query as never) as Promise<T>

export const packPost = <T>(path: string, body?: unknown): Promise<T> =>
  post(path as never, body as never) as Promise<T>
