package pdf_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/sluice-platform/sluice/runtime/printing/pdf"
	"github.com/stretchr/testify/require"
)

// A file that is written in parts reads like one that was written at once.
func TestParts(t *testing.T) {
	pages := form(5)
	parts := func() []byte {
		var out bytes.Buffer
		f := pdf.New(&out)
		for _, part := range [][2]int{{0, 2}, {2, 3}, {3, len(pages)}} {
			require.NoError(t, f.Add(pages[part[0]:part[1]], nil))
		}
		require.NoError(t, f.Close(at))
		return out.Bytes()
	}
	file := parts()
	require.True(t, bytes.Equal(file, parts()), "the same bytes")
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
			c.Env = append(os.Environ(), "TZ=UTC") // it shows times in the reader's zone
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

func TestEmpty(t *testing.T) {
	require.Error(t, pdf.New(io.Discard).Close(at), "no pages")
}
