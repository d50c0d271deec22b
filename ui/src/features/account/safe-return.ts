/** Where to go after signing in: an address of ours, never another site's. */
export function safeReturn(target: string | null): string {
  if (!target?.startsWith('/') || target.startsWith('//') || target.startsWith('/\\') || target.startsWith('/login'))
    return '/'
  return target
}
