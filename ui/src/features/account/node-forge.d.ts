/** The part of node-forge that we use; it ships no types. */
declare module 'node-forge' {
  interface Digest {
    readonly algorithm: string
  }
  interface PublicKey {
    encrypt(data: string, scheme: 'RSA-OAEP', options: { md: Digest; mgf1: { md: Digest } }): string
  }
  const forge: {
    pki: { publicKeyFromPem(pem: string): PublicKey }
    md: { sha256: { create(): Digest } }
    util: { encode64(bytes: string): string; encodeUtf8(text: string): string }
  }
  export default forge
}
