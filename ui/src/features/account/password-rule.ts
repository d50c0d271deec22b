export const ADMIN_PERMISSIONS = ['APP_MNG', 'SYS_MNG', 'ADMIN', 'ACCOUNT_MNG']

/** The server's upper limit; it only bounds what a request can hand to the hash (docs/adr/0005). */
export const MAXIMUM = 64

/** Administrators need 12 characters, others 8. */
export const minimumLength = (permissions: readonly string[]) =>
  permissions.some((name) => ADMIN_PERMISSIONS.includes(name)) ? 12 : 8

/** What a person reads about each. */
export const PROBLEMS = {
  missing: 'session.passwordNewMissing',
  characters: 'session.passwordCharacters',
  weak: 'session.passwordWeak',
} as const

/** What is wrong with a new password; null where it is accepted. */
export function passwordProblem(password: string, minimum: number): 'missing' | 'characters' | 'weak' | null {
  const length = [...password].length
  if (length === 0) return 'missing'
  if (/[\s\p{Script=Han}]/u.test(password)) return 'characters'
  const long = length >= minimum && length <= MAXIMUM
  return long && /\d/.test(password) && /[a-z]/.test(password) && /[A-Z]/.test(password) ? null : 'weak'
}
