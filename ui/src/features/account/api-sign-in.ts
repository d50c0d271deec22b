import { ApiError, get, post } from '@/api/client'
import { ERROR } from '@/api/errors.gen'
import { keepSession } from '@/api/session'
import { encrypt } from './encrypt'

/** The ticket of the second step, where a sign-in was refused for want of it. */
export function secondStepOf(error: unknown): { ticket: string; return?: string } | null {
  if (!(error instanceof ApiError) || error.code !== ERROR.SecondFactor) return null
  return error.data as { ticket: string; return?: string } | null
}

export async function finishSignIn(ticket: string, code: string): Promise<void> {
  keepSession(await post('/api/login/Authentication/second_step', { ticket, code }))
}

/** Sends the browser to a provider; it comes back to /oauthCallback. */
export async function leaveTo(provider: string, back: string): Promise<void> {
  const { address } = await post('/api/login/oauth/leave', { provider, return: back })
  window.location.assign(address)
}

/** What a provider sent the browser back with; null where it is not that. */
export interface ProviderAnswer {
  state: string
  code: string
  iss?: string
}

/** Ends a sign-in or a link that began in this browser, and tells where to go on. */
export async function returnFrom(answer: ProviderAnswer): Promise<{ path: string; linked: boolean }> {
  const done = await post('/api/login/oauth/return', answer)
  if (done.exp !== null) keepSession({ exp: done.exp })
  return { path: done.return, linked: done.linked }
}

export const identitiesQuery = {
  queryKey: ['me', 'identities'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/organization/user/identities', undefined, { signal }),
  staleTime: 0,
}

export const factorQuery = {
  queryKey: ['me', 'factor'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/organization/user/factor', undefined, { signal }),
  staleTime: 0,
}

/** The password, as confirmations carry it. */
async function sealed(password: string): Promise<{ index: string; password: string }> {
  if (password === '') return { index: '', password: '' }
  const key = await get('/api/login/rsa_key')
  return { index: key.index, password: await encrypt(key, password) }
}

export async function linkTo(provider: string, back: string, password: string): Promise<void> {
  const proof = await sealed(password)
  const { address } = await post('/api/organization/user/identities/link', { provider, return: back, ...proof })
  window.location.assign(address)
}

export const unlink = (id: string) => post('/api/organization/user/identities/unlink', { id })

/** Without a password right after the sign-in. */
export const beginFactor = async (password: string) =>
  post('/api/organization/user/factor/begin', await sealed(password))

export type Begun = Awaited<ReturnType<typeof beginFactor>>

export const confirmFactor = (ticket: string, code: string) =>
  post('/api/organization/user/factor/confirm', { ticket, code })

export const renewCodes = async (password: string) =>
  post('/api/organization/user/factor/codes', await sealed(password))

export const factorOff = async (password: string) => post('/api/organization/user/factor/off', await sealed(password))
