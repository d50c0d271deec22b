import { ERROR } from '@/api/errors.gen'

/** What /login-error has words for. An address can name these codes and nothing else: it cannot put words on our page. */
export const LOGIN_ERRORS = {
  [ERROR.SignInStale]: 'stale',
  [ERROR.ProviderFailed]: 'failed',
  [ERROR.IdentityUnknown]: 'unknown',
  [ERROR.IdentityTaken]: 'taken',
  [ERROR.ProviderUnknown]: 'noProvider',
  [ERROR.SignInDenied]: 'denied',
  [ERROR.TooManyAttempts]: 'tooMany',
  [ERROR.TooManyRequests]: 'tooMany',
} as const

export const errorAddress = (code: number) => `/login-error?code=${code}`
