export const ADMIN_PERMISSIONS = ['APP_MNG', 'SYS_MNG', 'ADMIN']

/** The server's upper limit; it only bounds what a request can hand to the hash (docs/adr/0005). */
export const MAXIMUM = 64

/** Administrators need 12 characters, others 8. */
export const minimumLength = (permissions: readonly string[]) =>
  permissions.some((name) => ADMIN_PERMISSIONS.includes(name)) ? 12 : 8

export function passwordAccepted(password: string, minimum: number): boolean {
  const length = [...password].length
  return (
    length >= minimum &&
    length <= MAXIMUM &&
    /\d/.test(password) &&
    /[a-z]/.test(password) &&
    /[A-Z]/.test(password) &&
    !/[\s\p{Script=Han}]/u.test(password)
  )
}
