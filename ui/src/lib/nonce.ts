/** The nonce of this page, for libraries that add style elements under our content security policy. */
export function nonce(): string | undefined {
  const content = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
  return content && !content.startsWith('{') ? content : undefined
}

/** Some libraries take a nonce and forget it for one element (scroll locks); here every style element gets it. */
export function stampStyleElements() {
  const value = nonce()
  if (!value) return
  const create = document.createElement.bind(document)
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = create(name, options)
    if (name === 'style') element.nonce = value
    return element
  }
}
