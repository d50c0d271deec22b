// Package base registers the packs that are in every program, core and organisation, with their extensions. It doesn't import the packs
// that are offered; plugins does. base_gen.go lists them; it is written from the names of the folders.
package base
