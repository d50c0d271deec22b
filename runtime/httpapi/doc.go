// Package httpapi is the HTTP edge: routes, decoding, the envelope and the static application. It holds no rules; each
// handler decodes, calls one service and returns (data, error). The envelope, statuses and texts of errors exist in
// envelope.go and nowhere else. The contract is schemas/api.yaml; a test compares it with the routes.
package httpapi
