// Package authn answers who is asking: sign-in with one-time keys, short access tokens, rotating refresh tokens, tokens
// for scripts and the first administrator's set-up (SECURITY.md).
//
// Credentials, sessions and keys are system tables of this package and never properties of a model; people themselves
// are records of the model user, read through principal.Directory. It decides nothing about rights.
package authn
