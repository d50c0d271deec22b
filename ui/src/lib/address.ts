/** Whether an address is a path of this server: nothing that a browser reads as another host, whatever it leaves out. */
export const isOwnPath = (url: string) => {
  if (!/^\/(?![/\\])/.test(url) || hasControl(url)) return false
  try {
    encodeURI(url) // throws on half a character, which no address can hold
    const { host, pathname } = new URL(url, 'https://here.invalid')
    return host === 'here.invalid' && !pathname.startsWith('//') // as "/..//host" comes out
  } catch {
    return false
  }
}

/** Tabs and line ends are taken out of addresses before they are read: "/\t/host" would be another host. */
const hasControl = (url: string) => [...url].some((one) => one < ' ' || (one >= '\u007f' && one <= '\u009f'))

/** Whether an address may be opened: this server, or an https address that the server let through. */
export const isSafeAddress = (url: string) => isOwnPath(url) || url.startsWith('https://')

/** Where a page goes back to: a path of ours, and not the sign-in; null for anything else. */
export const returnPath = (url: string | null) =>
  url && url.length <= 2000 && isOwnPath(url) && !/^\/(login|setup|oauth|oauthCallback|login-error)\b/.test(url)
    ? url
    : null
