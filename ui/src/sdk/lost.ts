import { ApiError } from '@/api/client'

/** Refusals of a request that may be taken another time: it took too long, something is locked, or there were too many. */
const PASSING = [408, 423, 425, 429]

/** Whether an error is a refusal that stays one: there is no such thing for this person, and asking again brings nothing. */
export function isFinal(error: unknown) {
  const status = error instanceof ApiError ? error.status : 0
  return status >= 400 && status < 500 && !PASSING.includes(status)
}

/**
 * The error that takes the place of what a query reads; null while there is something to show. What is on the screen stays when it cannot
 * be read again, unless it is gone for its reader.
 */
export const lostOf = <E>({ data, error }: { data: unknown; error: E | null }): E | null =>
  error !== null && (data === undefined || isFinal(error)) ? error : null
