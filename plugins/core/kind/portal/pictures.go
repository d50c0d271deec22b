package portal

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image"
	_ "image/gif" // formats of pictures
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"path"
	"slices"
	"strings"

	_ "golang.org/x/image/webp"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/script"
	"github.com/sluice-platform/sluice/engine/source"
)

// Limits of a picture beside a page.
const (
	maxPicture = 2 << 20  // bytes
	maxPixels  = 40 << 20 // 40 million
)

// pictureKeys are those whose text may be the name of a file beside the page.
var pictureKeys = []string{"picUrl", "icon", "componentIcon", "backgroundImg"}

// files are the script of a page and the pictures that lie beside it.
func files(doc def.Document) []kind.File {
	d := doc.(*document)
	out := []kind.File{{Name: d.Script, At: d.Node.Get("script"), Ext: ".js", Limit: script.MaxScript, To: &d.scriptFile}}
	d.pictures = nil
	var walk func(*source.Node)
	walk = func(n *source.Node) {
		if n.Kind == source.String && slices.Contains(pictureKeys, n.Key) && pictured(n.Text()) && !slices.Contains(d.pictures, n.Text()) {
			d.pictures = append(d.pictures, n.Text())
			out = append(out, kind.File{Name: n.Text(), At: n, Ext: path.Ext(n.Text()), Limit: maxPicture})
		}
		for _, m := range n.Members {
			walk(m)
		}
	}
	walk(d.Node)
	if len(d.found) != len(d.pictures) { // it is asked for twice: to read them, and to report what could not be read
		d.found = make([]*def.File, len(d.pictures))
	}
	for i := range d.found {
		out[i+1].To = &d.found[i]
	}
	return out
}

func pictured(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return true
	}
	return false
}

// images keeps the pictures beside the page and reports what is none.
func (c *compiler) images() {
	for i, name := range c.d.pictures {
		f := c.d.found[i]
		if f == nil || f.Err != nil { // which has been reported
			continue
		}
		data := []byte(f.Text)
		config, _, err := image.DecodeConfig(bytes.NewReader(data))
		if err != nil || config.Width*config.Height > maxPixels {
			c.Report("PORTAL016", c.pictureNode(name), name)
			continue
		}
		sum := sha256.Sum256(data)
		if c.out.Pictures == nil {
			c.out.Pictures = map[string]*catalog.Picture{}
		}
		c.out.Pictures[name] = &catalog.Picture{Digest: hex.EncodeToString(sum[:16]), Type: http.DetectContentType(data), Data: data}
	}
}

// pictureNode is where the page names a picture first.
func (c *compiler) pictureNode(name string) (at *source.Node) {
	for _, f := range files(c.d) {
		if f.Name == name {
			at = f.At
		}
	}
	return at
}
