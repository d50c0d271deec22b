import { ApiError } from './client'

/** Answers that a moment later may be others: the session is being renewed, the server took too long or has too much to do. */
const PASSING = new Set([401, 408, 425, 429])

/** Whether the server has decided. A lost answer, or a server that is away, has decided nothing: the question is asked again. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && !PASSING.has(error.status)
