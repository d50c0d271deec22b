package compile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"net/http"
	"path"
	"slices"
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
	kind := http.DetectContentType(data)
	if !slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, kind) {
		return ""
	}
	return kind
}
