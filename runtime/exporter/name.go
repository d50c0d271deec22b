package exporter

import (
	"strings"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/blob"
)

// fileName is what an export is called, without its ending: "合同导出20261121093000", "Contracts export 20261121093000". Its title is that
// of the page.
func fileName(l *catalog.List, locale string, at time.Time) string {
	title, stamp := Clean(l.Label.In(locale)), at.Format("20060102150405")
	if locale == "en" {
		return title + " export " + stamp
	}
	return title + "导出" + stamp
}

// Clean replaces what file systems refuse.
func Clean(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, name)
}

func sizeText(n int64) string { return blob.SizeText(n) }
