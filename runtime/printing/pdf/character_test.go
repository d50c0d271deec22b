package pdf_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/runtime/printing/font"
	"github.com/sluice-platform/sluice/runtime/printing/pdf"
	"github.com/stretchr/testify/require"
)

// signs are texts of records whose figures a rewriting would change, and signs of forms and drawings.
var signs = []string{"10⁵ 10⁻⁷ C₂₈ 1⅕ m³ H₂SO₄ xⁿ⁺¹ ½⅜⅚↉", "☑ 合格 ☐ 不合格 ☒ 作废 ✓ ✗ ✅ ❌ □ ■", "⌀25 ∅16 ±0.05 ≤ ≥ Ω μ ℃ № ① ⑳ ⒈ Ⓐ ㉝", "㎜ ㎡ ㎥ ㎟ ㎣ ㏊ ‰ ‱ ∠30° ⊥ ∥ ⌒ ⌖ ⏥ ⌭ ⌯",
	"\U0001d4d5 ℝ ℕ x̄ e\u0301 Ḿ ⏤ ⟂ → ⇒", "缺字 \U0001f3d7 \U00020bb7 א ك क"}

// What a reader copies and searches is what the record says, character for character, also where no font draws it.
func TestCopiedText(t *testing.T) {
	f := font.Default()
	d := &layout.Document{Setup: layout.Setup{Width: 210 * mm, Height: 100 * mm, Top: 6 * mm, Bottom: 6 * mm, Left: 10 * mm, Right: 10 * mm}}
	var e []layout.Element
	for i, s := range signs {
		for k, bold := range []bool{false, true} {
			e = append(e, layout.Element{Left: layout.Length(k) * 95 * mm, Top: layout.Length(i) * 12 * mm, Width: 90 * mm, Height: 10 * mm,
				Content: layout.Boxes{{Width: 95 * mm, Text: f.Drawn(s), Style: layout.Style{Size: layout.Points(11), Bold: bold, Italic: bold}}}})
		}
	}
	d.Flows = []layout.Flow{{Elements: e}}
	var out bytes.Buffer
	require.NoError(t, pdf.Write(&out, layout.Lay(d, f), nil, at))
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("needs pdftotext (apt-get install poppler-utils)")
	}
	name := filepath.Join(t.TempDir(), "a.pdf")
	if dir := os.Getenv("SHOTS"); dir != "" {
		name = filepath.Join(dir, "signs.pdf")
	}
	require.NoError(t, os.WriteFile(name, out.Bytes(), 0o600))
	text, err := exec.Command("pdftotext", "-raw", name, "-").Output()
	require.NoError(t, err)
	for _, s := range signs {
		for _, r := range s {
			require.True(t, strings.ContainsRune(string(text), r), "%U %c", r, r)
		}
	}
	require.Contains(t, string(text), "10⁵ 10⁻⁷ C₂₈ 1⅕ m³")
	require.Contains(t, string(text), "☑ 合格 ☐ 不合格")
}
