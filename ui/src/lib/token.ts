/** A new key for what is sent once, 128 random bits in hexadecimal. Pages without TLS have no `crypto.randomUUID`. */
export const newToken = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('')
