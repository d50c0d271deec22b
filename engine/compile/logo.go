package compile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"path"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
)

// maxLogo bounds the file of a logo, in bytes: every list of applications shows it.
const maxLogo = 256 << 10

// logo is the picture beside app.json that the application names; nil where it names none, or it cannot be shown.
func (c *compiler) logo(d *def.App) *catalog.Picture {
	f := d.LogoFile
	if d.Logo == "" || f == nil {
		return nil
	}
	kind := ""
	if f.Err == nil {
		kind = logoType(d.Logo, []byte(f.Text))
	}
	if kind == "" {
		c.report("APP015", d.Node.Get("logo"), d.Logo, maxLogo>>10)
		return nil
	}
	sum := sha256.Sum256([]byte(f.Text))
	return &catalog.Picture{Digest: hex.EncodeToString(sum[:16]), Type: kind, Data: []byte(f.Text)}
}

// logoType is what a browser is told that a logo is; "" for what it does not draw.
func logoType(name string, data []byte) string {
	if strings.EqualFold(path.Ext(name), ".svg") {
		for d := xml.NewDecoder(bytes.NewReader(data)); ; {
			token, err := d.Token()
			if err != nil {
				return ""
			}
			if root, is := token.(xml.StartElement); is {
				return map[bool]string{true: "image/svg+xml"}[root.Name.Local == "svg"]
			}
		}
	}
	switch head := string(data[:min(len(data), 12)]); {
	case strings.HasPrefix(head, "\x89PNG\r\n\x1a\n"):
		return "image/png"
	case strings.HasPrefix(head, "\xff\xd8\xff"):
		return "image/jpeg"
	case strings.HasPrefix(head, "GIF87a"), strings.HasPrefix(head, "GIF89a"):
		return "image/gif"
	case strings.HasPrefix(head, "RIFF") && strings.HasSuffix(head, "WEBP"):
		return "image/webp"
	}
	return ""
}
