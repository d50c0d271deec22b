package command

import (
	"io"
	"testing"
)

// BenchmarkCheck is `sluice check` on the largest example: go test ./cmd/sluice/command -run - -bench Check -cpuprofile cpu.out
func BenchmarkCheck(b *testing.B) {
	for b.Loop() {
		c := checkCmd{Dir: "../../../examples/ship-lock", Format: "text", Locale: "en", Timezone: "Asia/Shanghai"}
		if err := c.Run(console{out: io.Discard, err: io.Discard}); err != nil {
			b.Fatal(err)
		}
	}
}
