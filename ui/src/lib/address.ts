/** Whether an address is a path of this server. */
export const isOwnPath = (url: string) => /^\/(?![/\\])/.test(url)

/** Whether an address may be opened: this server, or an https address that the server let through. */
export const isSafeAddress = (url: string) => isOwnPath(url) || url.startsWith('https://')
