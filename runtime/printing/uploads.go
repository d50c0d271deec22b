package printing

import (
	"regexp"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/query"
)

// anUpload is the form of ids of uploads. Other names of pictures are files beside the template.
var anUpload = regexp.MustCompile(`^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// Uploads are the pictures that a template shows and somebody brought, each once.
func Uploads(t *catalog.Print) []string {
	return slices.DeleteFunc(t.PictureRefs(), func(ref string) bool { return !anUpload.MatchString(ref) })
}

// Shows reports whether a template shows an upload.
func Shows(t *catalog.Print, id string) bool { return slices.Contains(Uploads(t), id) }

// Holds reports whether a template shows an upload.
func Holds(c *catalog.Catalog, id string) bool {
	return slices.ContainsFunc(c.Documents, func(d *catalog.Document) bool {
		t, is := d.Value.(*catalog.Print)
		return is && d.Kind == catalog.KindPrint && Shows(t, id)
	})
}

// May reports whether somebody may print with a template, as far as their rights and not the record decide.
func May(view *authz.View, t *catalog.Print) bool {
	_, err := printable(view, t.Model.Code, query.PrintRight)
	return err == nil && reads(view, t)
}
