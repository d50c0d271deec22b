package pdf_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sluice-platform/sluice/runtime/printing/pdf"
	"github.com/stretchr/testify/require"
)

// A file that is joined from parts reads like one that was written at once.
func TestJoin(t *testing.T) {
	pages := form(5)
	joined := func() []byte {
		var out bytes.Buffer
		j := pdf.NewJoin(&out)
		for _, part := range [][2]int{{0, 2}, {2, 3}, {3, len(pages)}} {
			require.NoError(t, j.Add(write(t, pages[part[0]:part[1]])))
		}
		require.NoError(t, j.Close(at))
		return out.Bytes()
	}
	file := joined()
	require.True(t, bytes.Equal(file, joined()), "the same bytes")
	read := func(file []byte, tool string, args ...string) string {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
		name := filepath.Join(t.TempDir(), "x.pdf")
		require.NoError(t, os.WriteFile(name, file, 0o600))
		var wrong bytes.Buffer
		c := exec.Command(tool, append(args, name, "-")...)
		if tool == "pdfinfo" {
			c = exec.Command(tool, name)
		}
		c.Stderr = &wrong
		out, err := c.Output()
		require.NoError(t, err, wrong.String())
		require.Empty(t, wrong.String(), "the reader complains")
		return string(out)
	}
	require.Equal(t, read(write(t, pages), "pdftotext", "-layout"), read(file, "pdftotext", "-layout"))
	info := read(file, "pdfinfo")
	require.Regexp(t, `(?m)^Title:\s+检验批$`, info)
	require.Regexp(t, `(?m)^Pages:\s+5$`, info)
	require.Regexp(t, `(?m)^CreationDate:\s+Wed Nov 25 01:02:03 2026`, info)
	require.True(t, bytes.Equal(picture(t, write(t, pages)), picture(t, file)), "the last page")
}

// picture is the last page of a file as a picture.
func picture(t *testing.T, file []byte) []byte {
	if _, err := exec.LookPath("pdftoppm"); err != nil {
		t.Skip("pdftoppm is not installed")
	}
	name := filepath.Join(t.TempDir(), "x.pdf")
	require.NoError(t, os.WriteFile(name, file, 0o600))
	out, err := exec.Command("pdftoppm", "-r", "40", "-f", "5", "-l", "5", name).Output()
	require.NoError(t, err)
	return out
}

func TestJoinRefuses(t *testing.T) {
	for name, file := range map[string]string{"nothing": "", "text": "hello", "a table beyond": "%PDF-1.4\nstartxref\n99\n%%EOF\n", "no table": "%PDF-1.4\n" + strings.Repeat("x\n", 20) + "startxref\n12\n%%EOF\n"} {
		require.Error(t, pdf.NewJoin(io.Discard).Add([]byte(file)), name)
	}
	require.Error(t, pdf.NewJoin(io.Discard).Close(at), "no pages")
}
