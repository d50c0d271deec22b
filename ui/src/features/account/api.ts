import { get, post, put } from '@/api/client'
import { keepSession } from '@/api/session'
import { encrypt } from './encrypt'

export async function signIn(username: string, password: string): Promise<void> {
  const key = await get('/api/login/rsa_key')
  const body = { username, password: await encrypt(key, password), index: key.index }
  keepSession(await post('/api/login/Authentication/get_token', body))
}

export interface SetupInput {
  secret: string
  username: string
  name: string
  password: string
}

export async function setUp(input: SetupInput): Promise<void> {
  const key = await get('/api/login/rsa_key')
  keepSession(
    await post('/api/login/setup', { ...input, password: await encrypt(key, input.password), index: key.index }),
  )
}

export async function changePassword(oldPassword: string, newPassword: string): Promise<void> {
  const key = await get('/api/login/rsa_key')
  const [old, next] = await Promise.all([encrypt(key, oldPassword), encrypt(key, newPassword)])
  await put('/api/organization/user/password', { index: key.index, oldPassword: old, newPassword: next })
}

export const passwordUnchanged = () => get('/api/organization/user/check_password')

export const sessionsQuery = {
  queryKey: ['me', 'sessions'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/organization/user/sessions', undefined, { signal }),
  staleTime: 0,
}

export const revokeSession = (id: string) => post('/api/organization/user/sessions/revoke', { id })

export const revokeOthers = () => post('/api/organization/user/sessions/revoke_others')

/** The applications that I can open. */
export const appsQuery = {
  queryKey: ['apps'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/app/apppackage/list', undefined, { signal }),
  staleTime: 60_000,
}

interface NewToken {
  label: string
  days: number
  readOnly?: boolean
  apps?: { appCode: string; write: boolean }[]
}

export const makeToken = (token: NewToken) => post('/api/organization/user/tokens', token)

export const setupQuery = {
  queryKey: ['setup'] as const,
  queryFn: ({ signal }: { signal: AbortSignal }) => get('/api/login/setup', undefined, { signal }),
  staleTime: 0,
}
