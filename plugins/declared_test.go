package plugins_test

import (
	"testing"

	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/plugins/base"
	"github.com/sluice-platform/sluice/plugins/construction"
	"github.com/sluice-platform/sluice/plugins/quality"
	"github.com/sluice-platform/sluice/runtime/packtest"
)

// The code of the packs names nothing of documents but by what it declares.
func TestPacksDeclareWhatTheyName(t *testing.T) {
	for dir, register := range map[string][]pack.Registrar{
		"core": {base.Register}, "organisation": {base.Register}, "construction": {base.Register, construction.Register}, "quality": {base.Register, construction.Register, quality.Register},
		"quality/rule": {base.Register, construction.Register, quality.Register},
	} {
		t.Run(dir, func(t *testing.T) { packtest.Declared(t, dir, register...) })
	}
}
