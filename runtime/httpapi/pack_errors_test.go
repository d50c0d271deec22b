package httpapi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
)

// A pack's error code that cannot be told, or that says something else already, keeps the server from starting.
func TestErrorCodesOfPacks(t *testing.T) {
	good := fault.Definition{Code: 560101, Status: 409, Zh: "占用", En: "taken"}
	for name, c := range map[string]struct {
		spoil func(*fault.Definition)
		want  string
	}{
		"good":       {func(*fault.Definition) {}, ""},
		"taken":      {func(d *fault.Definition) { d.Code = fault.RecordNotFound }, "is taken"},
		"no failure": {func(d *fault.Definition) { d.Status = 200 }, "status"},
		"no English": {func(d *fault.Definition) { d.En = "" }, "English"},
	} {
		t.Run(name, func(t *testing.T) {
			d, set := good, &pack.Set{}
			c.spoil(&d)
			require.NoError(t, set.Errors.Add(d))
			all, err := loadTexts()
			require.NoError(t, err)
			if err = all.add(set); c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}
