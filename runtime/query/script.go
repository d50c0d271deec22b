package query

import (
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// Calls that answer the files of Script and Style; the address names the content.
const (
	scriptPath = "/api/runtime/query/script"
	stylePath  = "/api/runtime/query/style"
)

func addressOf(path string, f *catalog.File) *string {
	if f == nil {
		return nil
	}
	address := path + "?digest=" + f.Digest
	return &address
}

// Script returns the script of that digest when a list or form that the caller may open has it.
func (*Reader) Script(view *authz.View, digest string) (string, error) {
	for _, l := range view.Lists {
		if f := l.Presentation.Script; f != nil && f.Digest == digest && view.Can(l.Model, "view") {
			return f.Text, nil
		}
	}
	for _, form := range view.Forms {
		if f := form.Script; f != nil && f.Digest == digest && view.Can(form.Model, "view") {
			return f.Text, nil
		}
	}
	return "", fault.New(fault.ListNotFound)
}

// Style returns the style of that digest when a list that the caller may open has it.
func (*Reader) Style(view *authz.View, digest string) (string, error) {
	for _, l := range view.Lists {
		if f := l.Presentation.Style; f != nil && f.Digest == digest && view.Can(l.Model, "view") {
			return f.Text, nil
		}
	}
	return "", fault.New(fault.ListNotFound)
}
