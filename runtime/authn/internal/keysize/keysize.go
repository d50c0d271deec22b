// Package keysize holds the size of one-time keys of sign-ins, so that runtime/authn/authntest can change it for tests and
// nothing outside runtime/authn can.
package keysize

// Bits is the size of a key. Tests change it before they open anything.
var Bits = 2048
