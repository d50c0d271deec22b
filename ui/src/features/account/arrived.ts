/** Set by a sign-in, until what is said after one was said. */
const KEY = 'login_jump'

export function noteArrival() {
  try {
    localStorage.setItem(KEY, '1')
  } catch {
    // without storage nothing is said
  }
}

export function arriving(): boolean {
  try {
    return localStorage.getItem(KEY) === '1'
  } catch {
    return false
  }
}

/** Whether somebody has just signed in; true once. */
export function arrived(): boolean {
  if (!arriving()) return false
  localStorage.removeItem(KEY)
  return true
}
