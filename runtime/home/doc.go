// Package home keeps what each person's start page offers: pages and records opened lately, and those marked as favorites. A row
// names a place and nothing of its contents; what it is called, and whether it is shown at all, is decided by the rights that its
// reader has at that moment.
package home
