package portal

import (
	"context"
	"encoding/json"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
)

// visiting is why a visitor without an account reads records: a public page names the role whose rights it is read with.
const visiting = "public page"

// PublicPage finds a published page that is read without signing in; without a code the first of the installation.
func PublicPage(c *catalog.Catalog, code string) (*catalog.Portal, error) {
	for _, p := range c.Portals() {
		if p.Public && p.Published && len(p.Widgets) > 0 && (code == "" || strings.EqualFold(code, p.Code)) {
			return p, nil
		}
	}
	return nil, fault.New(fault.PortalNotFound)
}

// Visitor is somebody without an account on a public page: nobody, with the rights of the role that the page names.
func Visitor(p *catalog.Portal, locale string) principal.Principal {
	out := principal.Principal{Locale: locale}
	if p.PublicRole != "" {
		out.Reason, out.Roles, out.ReadOnly = visiting, []string{p.PublicRole}, true
	}
	return out
}

// Public draws a public page for a visitor: widgets of content and lists of records, and nothing that belongs to a person.
func (s *Service) Public(view *authz.View, p *catalog.Portal) *Page {
	out := s.draw(view, p)
	out.Code, out.Name, out.NameI18n, out.Published = p.Code, p.Label.Zh, texts(p.Label), 1
	s.publicOnly(p, out.Widgets)
	return out
}

// publicOnly leaves tabs out that list the work of a person, and turns addresses of pictures to those for visitors.
func (s *Service) publicOnly(p *catalog.Portal, in []Widget) {
	for i := range in {
		w := &in[i]
		for key, value := range w.Options {
			if tabs, ok := value.([]any); ok && key == "tabs" {
				w.Options[key] = slices.DeleteFunc(tabs, func(tab any) bool { of, _ := tab.(map[string]any); return of["dataSource"] != "bizModel" })
			}
		}
		publicPictures(p, w.Options)
		publicPictures(p, w.Style)
		s.publicOnly(p, w.Widgets)
	}
}

const publicPicturePath = "/open/picture"

func publicPictures(p *catalog.Portal, v any) {
	switch x := v.(type) {
	case []any:
		for _, one := range x {
			publicPictures(p, one)
		}
	case map[string]any:
		for key, value := range x {
			if text, ok := value.(string); ok && strings.HasSuffix(key, "Src") {
				_, digest, beside := strings.Cut(text, "?digest=")
				_, upload, _ := strings.Cut(text, "&refId=")
				if beside {
					x[key] = publicPicturePath + "?portalCode=" + p.Code + "&digest=" + digest
				} else if upload != "" {
					x[key] = publicPicturePath + "?portalCode=" + p.Code + "&refId=" + upload
				}
				continue
			}
			publicPictures(p, value)
		}
	}
}

// PublicPicture is a picture beside a public page, by its digest.
func PublicPicture(p *catalog.Portal, digest string) *catalog.Picture {
	for _, picture := range p.Pictures {
		if picture.Digest == digest {
			return picture
		}
	}
	return nil
}

// ShownIn reports whether a page shows an upload.
func ShownIn(p *catalog.Portal, id string) bool { return names(p, id) }

// tabOfCode reads what names a list of a page: the widget, and its tab behind a stroke where it has several.
func tabOfCode(code string) (RowsRequest, error) {
	id, tab, several := strings.Cut(code, "/")
	req := RowsRequest{Widget: id}
	if several {
		n, err := strconv.Atoi(tab)
		if err != nil {
			return req, fault.New(fault.WidgetNotFound)
		}
		req.Tab = n
	}
	return req, nil
}

// PublicRows reads the records that a list of a public page shows to visitors. tabCode is the id of the widget, with the number of the tab behind
// a stroke where it has several.
func (s *Service) PublicRows(ctx context.Context, view *authz.View, p *catalog.Portal, tabCode string, page, size int) (*Rows, error) {
	req, err := tabOfCode(tabCode)
	if err != nil {
		return nil, err
	}
	req.Page, req.Size = page, size
	return s.rowsOf(ctx, view, p, req)
}

// Document is a record that a list of a public page shows, to read.
type Document struct {
	ID    string            `json:"id"`
	Title string            `json:"title"`
	HTML  string            `json:"html"` // made here: texts of the record are escaped
	Files []json.RawMessage `json:"files"`
}

// PublicDocument reads a record of a list of a public page: its long texts and its files. id is the tabCode of the list and the id of the record
// behind another stroke.
func (s *Service) PublicDocument(ctx context.Context, view *authz.View, p *catalog.Portal, id string) (*Document, error) {
	code, record, ok := cutLast(id, "/")
	if !ok {
		return nil, fault.New(fault.RecordNotFound)
	}
	req, err := tabOfCode(code)
	if err != nil {
		return nil, err
	}
	req.Size, req.ids, req.whole = 1, []string{record}, true
	rows, err := s.rowsOf(ctx, view, p, req)
	if err != nil {
		return nil, err
	}
	if rows.Len() == 0 {
		return nil, fault.New(fault.RecordNotFound)
	}
	out := &Document{ID: id, Files: []json.RawMessage{}}
	var text strings.Builder
	for i, c := range rows.Columns() {
		switch {
		case i == 0:
			out.Title = rows.Text(0, i)
		case c.Field.Type.Name() == "LongText":
			written, _ := rows.Value(0, i).(string) // Text keeps back what looks like a page
			paragraphs(&text, written)
		case c.Field.Type.Name() == "Attachment":
			var files []json.RawMessage
			if err := json.Unmarshal(rows.AppendJSON(nil, 0, i), &files); err != nil {
				return nil, err
			}
			out.Files = append(out.Files, files...)
		}
	}
	out.HTML = text.String()
	return out, nil
}

// paragraphs writes a plain text as HTML: an empty line ends a paragraph.
func paragraphs(to *strings.Builder, text string) {
	for part := range strings.SplitSeq(strings.ReplaceAll(strings.TrimSpace(text), "\r\n", "\n"), "\n\n") {
		if part = strings.TrimSpace(part); part != "" {
			to.WriteString("<p>" + strings.ReplaceAll(html.EscapeString(part), "\n", "<br>") + "</p>")
		}
	}
}

func cutLast(text, by string) (before, after string, ok bool) {
	i := strings.LastIndex(text, by)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(by):], true
}

// whole are the rows with the long texts and files of their records besides.
func whole(view *authz.View, of *catalog.PortalRows) *catalog.PortalRows {
	out := *of
	m := view.Model(of.Model.Code)
	for _, f := range m.Fields {
		if name := f.Type.Name(); (name == "LongText" || name == "Attachment") && !f.System {
			out.More = append(slices.Clone(out.More), f.Code)
		}
	}
	return &out
}

// Photo is a picture of a carousel of a public page.
type Photo struct {
	Title    string  `json:"title"`
	ImageURL string  `json:"imageUrl"`
	Link     *string `json:"link"`
}

// Photos are the pictures of the carousels of a page as a visitor gets it.
func Photos(p *Page) []Photo {
	out := []Photo{}
	var in func([]Widget)
	in = func(widgets []Widget) {
		for _, w := range widgets {
			photos, _ := w.Options["photos"].([]any)
			for _, one := range photos {
				of, _ := one.(map[string]any)
				title, _ := of["name"].(string)
				src, _ := of["picUrlSrc"].(string)
				photo := Photo{Title: title, ImageURL: src}
				if to, ok := of["to"].(string); ok {
					photo.Link = &to
				}
				out = append(out, photo)
			}
			in(w.Widgets)
		}
	}
	in(p.Widgets)
	return out
}

// Menus are the navigation entries of a page as a visitor gets it.
func Menus(p *Page) []any {
	out := []any{}
	var in func([]Widget)
	in = func(widgets []Widget) {
		for _, w := range widgets {
			if entries, ok := w.Options["navigator"].([]any); ok && (w.Type == "RowMenu" || w.Type == "ColMenu") {
				out = append(out, entries...)
			}
			in(w.Widgets)
		}
	}
	in(p.Widgets)
	return out
}
