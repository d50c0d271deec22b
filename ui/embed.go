// Package ui holds the built user interface: index.html, hashed assets and their .gz and .br neighbours. Before a build it
// holds the placeholder only, so that the Go program compiles in a fresh clone.
package ui

import (
	"bytes"
	"embed"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// noncePlaceholder is in index.html where each answer carries its own nonce: the libraries that add style elements
// read it there, so the policy can be strict: script-src 'self'; style-src 'self' 'nonce-...'.
const noncePlaceholder = "{{nonce}}"

// Files are the built files, rooted at index.html.
func Files() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the folder is named in the embed directive above
	}
	return sub
}

// Index returns index.html for one answer with its nonce; false when the interface has not been built.
func Index(nonce string) ([]byte, bool) {
	page, err := fs.ReadFile(Files(), "index.html")
	if err != nil {
		return nil, false
	}
	return bytes.ReplaceAll(page, []byte(noncePlaceholder), []byte(nonce)), true
}
