package phone_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/phone"
)

// The spellings of testdata/phones.txt: text | number, "-" for other numbers.
func TestMobile(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/phones.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	cases := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		text, rest, is := strings.Cut(lines.Text(), " | ")
		if !is || strings.HasPrefix(text, "#") {
			continue
		}
		cases++
		want, _, _ := strings.Cut(rest, " | ")
		got := phone.Mobile(text)
		if number := strings.Trim(got, "+0123456789") == "" && len(got) >= 8 && (got[0] == '+' || len(got) == 11 && got[0] == '1' && got[1] > '2'); !number {
			got = "-"
		}
		if got != want {
			t.Errorf("%q is read as %s, not as %s", text, got, want)
		}
	}
	if cases < 30 {
		t.Errorf("%d cases", cases)
	}
}
