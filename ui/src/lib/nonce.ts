/** The nonce of this page, for libraries that add style elements under our content security policy. */
export function nonce(): string | undefined {
  const content = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
  return content && !content.startsWith('{') ? content : undefined
}
