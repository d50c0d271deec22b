package app

import (
	"context"
	"slices"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/printing"
)

// PrintPicture is what logos and seals of print templates are brought for.
const PrintPicture = "printPicture"

// printPictures are the limits of those: as of files beside a template.
var printPictures = PictureLimits{[]string{"image/png", "image/jpeg"}, 1 << 20}

// printPictured refuses a template that newly shows an upload which is not a picture within the limits, or which its author may not read: a template
// shows it to all who print with it.
func (a *App) printPictured(ctx context.Context, view *authz.View, p *catalog.Print, imported bool) error {
	var before []string
	if was := a.State().Catalog.Print(p.Code); was != nil {
		before = printing.Uploads(was)
	}
	for _, id := range printing.Uploads(p) {
		if slices.Contains(before, id) {
			continue
		}
		if _, err := a.reader.Kept(ctx, id); imported && fault.Of(err) == fault.FileNotFound {
			continue
		}
		f, err := a.reader.File(ctx, view, id)
		if fault.Of(err) == fault.FileNotFound {
			return fault.New(fault.PrintPictureGone, id)
		}
		if err != nil {
			return err
		}
		err = a.files.Picture(ctx, f, printPictures.Most, printPictures.Types)
		switch fault.Of(err) {
		case fault.FileNotAccepted, fault.FileTooLarge, fault.FileContent:
			return fault.Wrap(err, fault.PrintPicture, f.Name, blob.TypeNames(printPictures.Types), blob.SizeText(printPictures.Most))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// printShows reports whether a published template that the principal may print with, or change, shows an upload. What a draft names does not count:
// its author would read whatever file they name.
func (a *App) printShows(view *authz.View, id string) bool {
	for _, p := range a.State().Catalog.Prints() {
		if printing.Shows(p, id) && (printing.May(view, p) || view.Principal().UserID != "" && a.MayAdminister(view, p.Pack)) {
			return true
		}
	}
	return false
}

// tellsTime reports whether the principal may say which time is on paper of a model: who administers its application.
func (a *App) tellsTime(view *authz.View, m *catalog.Model) bool {
	return view.Principal().UserID != "" && a.MayAdminister(view, m.Pack)
}
