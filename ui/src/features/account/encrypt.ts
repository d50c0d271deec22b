import type { components } from '@/api/schema.gen'

type RsaKey = components['schemas']['RsaKey']

const bytes = (text: string) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
const base64 = (buffer: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))

async function withWebCrypto(pem: string, text: string): Promise<string> {
  const der = bytes(pem.replace(/-----[^-]+-----|\s/g, ''))
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('spki', der, algorithm, false, ['encrypt'])
  return base64(await crypto.subtle.encrypt(algorithm, key, new TextEncoder().encode(text)))
}

async function withForge(pem: string, text: string): Promise<string> {
  const { default: forge } = await import('node-forge')
  const key = forge.pki.publicKeyFromPem(pem)
  const options = { md: forge.md.sha256.create(), mgf1: { md: forge.md.sha256.create() } }
  return forge.util.encode64(key.encrypt(forge.util.encodeUtf8(text), 'RSA-OAEP', options))
}

/** Encrypts a password for one call. Browsers have no WebCrypto on plain-http origins; there the library does it. */
export function encrypt(key: RsaKey, text: string): Promise<string> {
  return globalThis.crypto?.subtle ? withWebCrypto(key.key, text) : withForge(key.key, text)
}
