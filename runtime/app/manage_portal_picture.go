package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/portal"
	"github.com/sluice-platform/sluice/runtime/printing"
)

// PictureLimits are what an upload has to be to be shown by a portal page.
type PictureLimits struct {
	Types []string
	Most  int64 // bytes
}

// What pictures of portal pages are brought for.
const (
	PortalIcon    = "portalIcon"
	PortalPicture = "portalPicture"
)

// DesignPictures are the limits by what a picture is for. Those of icons are the platform's specification's; other pictures are as large as
// those beside a page may be.
var DesignPictures = map[string]PictureLimits{
	PortalIcon:    {[]string{"image/png", "image/jpeg", "image/gif"}, 100 << 10},
	PortalPicture: {blob.Pictures, 2 << 20},
	PrintPicture:  printPictures,
}

// Folders of a pack with documents that show pictures.
const (
	portalFolder = "portals"
	printFolder  = "prints"
)

// pictured refuses pages and print templates of a changeset that newly show an upload which is not a picture within the limits, or which their author may not read:
// a page shows it to all of its readers.
func (a *App) pictured(ctx context.Context, view *authz.View, c *catalog.Catalog, set Changeset) error {
	for _, f := range set.Files {
		folder, name, _ := strings.Cut(f.Path, "/")
		code, document := strings.CutSuffix(name, ".json")
		if !document || f.Text == nil {
			continue
		}
		if of := c.Print(code); folder == printFolder && of != nil {
			if err := a.printPictured(ctx, view, of, set.imported); err != nil {
				return err
			}
		}
		p := c.Portal(code)
		if folder != portalFolder || p == nil {
			continue
		}
		before := map[portal.Upload]bool{}
		if was := a.State().Catalog.Portal(code); was != nil {
			for _, u := range portal.Uploads(was) {
				before[u] = true
			}
		}
		for _, u := range portal.Uploads(p) {
			if before[u] {
				continue
			}
			if _, err := a.reader.Kept(ctx, u.ID); set.imported && fault.Of(err) == fault.FileNotFound {
				continue
			}
			if err := a.picture(ctx, view, u); err != nil {
				return err
			}
		}
	}
	return nil
}

// picture refuses an upload that a page may not show.
func (a *App) picture(ctx context.Context, view *authz.View, u portal.Upload) error {
	f, err := a.reader.File(ctx, view, u.ID)
	if fault.Of(err) == fault.FileNotFound {
		return fault.New(fault.PortalPictureGone, u.ID)
	}
	if err != nil {
		return err
	}
	limits := DesignPictures[PortalPicture]
	if u.Icon {
		limits = DesignPictures[PortalIcon]
	}
	err = a.files.Picture(ctx, f, limits.Most, limits.Types)
	switch fault.Of(err) {
	case fault.FileNotAccepted, fault.FileTooLarge, fault.FileContent:
		return fault.Wrap(err, fault.PortalPicture, f.Name, blob.TypeNames(limits.Types), blob.SizeText(limits.Most))
	}
	return err
}

// packPictures puts the uploads that pages and print templates show beside them, under the names of their contents, and names these in the pages. What is gone,
// or larger than pictures beside a page may be, keeps its id.
func (a *App) packPictures(ctx context.Context, texts map[string]string) error {
	for _, file := range slices.Sorted(maps.Keys(texts)) {
		folder, name, _ := strings.Cut(file, "/")
		code, document := strings.CutSuffix(name, ".json")
		var uploads []string
		if p := a.State().Catalog.Portal(code); folder == portalFolder && document && p != nil {
			for _, u := range portal.Uploads(p) {
				uploads = append(uploads, u.ID)
			}
		}
		if p := a.State().Catalog.Print(code); folder == printFolder && document && p != nil {
			uploads = printing.Uploads(p)
		}
		for _, id := range uploads {
			name, data, err := a.packPicture(ctx, id)
			if err != nil {
				return err
			}
			if name != "" {
				texts[folder+"/"+name] = string(data)
				texts[file] = strings.ReplaceAll(texts[file], `"`+id+`"`, `"`+name+`"`)
			}
		}
	}
	return nil
}

// packPicture reads an upload as a picture beside a page; "" = it can't be one.
func (a *App) packPicture(ctx context.Context, id string) (name string, data []byte, err error) {
	f, err := a.reader.Kept(ctx, id)
	if fault.Of(err) == fault.FileNotFound || err == nil && (f.Size > overlay.MaxPicture || !slices.Contains(blob.Pictures, f.Mime)) {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, err
	}
	content, err := a.files.Read(ctx, f)
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = content.Close() }()
	if data, err = io.ReadAll(content); err != nil || !blob.Drawable(data) {
		return "", nil, err
	}
	sum := sha256.Sum256(data)
	_, kind, _ := strings.Cut(f.Mime, "/")
	return "picture-" + hex.EncodeToString(sum[:8]) + "." + kind, data, nil
}
