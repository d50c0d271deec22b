package printing

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // formats of pictures
	_ "image/png"
	"math"
	"slices"
	"time"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/store"
)

// picture is what paper shows of a file: a small version of it, or why there is none.
type picture struct {
	data  []byte // PNG or JPEG; nil = it can't be shown
	why   why
	asked bool // when and where it was taken has been looked for
	taken blob.Taken
}

// why a picture can't be shown.
type why string

const (
	whyGone   why = "gone"
	whyBroken why = "broken"
	whyLarge  why = "large"
	whyHEIC   why = "heic"
	whyMany   why = "many"
)

// sentences say why a picture can't be shown, in Chinese and in English.
var sentences = map[why][2]string{
	whyGone:   {"文件不存在", "the file is gone"},
	whyBroken: {"文件已损坏", "the file is damaged"},
	whyLarge:  {"图片太大", "it is too large"},
	whyHEIC:   {"HEIC 格式不能打印，请另存为 JPEG 后上传", "HEIC can't be printed; save it as JPEG and upload that"},
	whyMany:   {"图片太多，请分批打印", "too many pictures for one print; print fewer records at once"},
}

// wanted is a picture that a record shows.
type wanted struct {
	record string
	file   blob.File
	taken  bool // when and where it was taken is shown too
}

const (
	// maxImages is how many bytes all pictures of a printout may take; those beyond are named and not drawn.
	maxImages = 64 << 20
	// mostRounds is how often records are read until no picture of theirs is new: somebody may add one meanwhile.
	mostRounds = 4
	// spareTime of a call is left to lay out and to answer, when pictures have to be drawn small first.
	spareTime = 10 * time.Second
	// waitsFor is how long a batch waits until others' pictures are drawn.
	waitsFor = time.Second
)

// laid lays records out. Pictures are drawn small between two reads and never within one: that takes a third of a second each, and a read
// holds a connection and ends in time. What a part of a batch shows ends after the record with which its pictures are enough.
func (s *Service) laid(ctx context.Context, req *Request, out *Printout, lay func(ctx context.Context, tx *store.Tx) error) error {
	out.images = map[string]picture{}
	for round := 1; ; round++ {
		err := s.Reader.Within(ctx, func(ctx context.Context, tx *store.Tx) error {
			out.sheets, out.Pages, out.Records, out.starts, out.names, out.codes = nil, nil, nil, nil, nil, map[string]coded{} // a read that is repeated begins anew
			out.Missing, out.TooWide, out.wanted = nil, nil, nil
			return lay(ctx, tx)
		})
		if err != nil || len(out.wanted) == 0 {
			return err
		}
		if round == mostRounds {
			return fault.Later(fault.PrintPictures, 1, 0, len(out.wanted))
		}
		record, err := s.load(ctx, out, req.part)
		if err != nil {
			return err
		}
		if record != "" {
			req.ObjectIDs = req.ObjectIDs[:slices.Index(req.ObjectIDs, record)]
		}
	}
}

// load reads the pictures that a printout wants, for those of a part as many as it may have: up to the record that it returns.
func (s *Service) load(ctx context.Context, out *Printout, part bool) (record string, err error) {
	size := 0
	for _, p := range out.images {
		size += len(p.data)
	}
	for i, w := range out.wanted {
		if part && i > 0 && size >= partImages && w.record != out.wanted[i-1].record {
			return w.record, nil
		}
		ref := refOf(w.file)
		known, is := out.images[ref]
		if is && (!w.taken || known.asked) {
			continue
		}
		if left, has := ctx.Deadline(); has && !part && time.Until(left) < spareTime {
			var rest []blob.File
			for _, w := range out.wanted[i:] {
				rest = append(rest, w.file)
			}
			s.Files.Ahead(rest...)
			return "", fault.Later(fault.PrintPictures, 3, i, len(out.wanted))
		}
		p := known
		if !is {
			if p, err = s.drawn(ctx, w.file, part); err != nil {
				return "", err
			}
			if size += len(p.data); size > maxImages {
				p = picture{why: whyMany}
			}
		}
		if p.asked = w.taken; w.taken {
			if p.taken, err = s.Files.Taken(ctx, w.file); err != nil {
				return "", err
			}
		}
		out.images[ref] = p
	}
	return "", nil
}

// drawn is the small version of a file.
func (s *Service) drawn(ctx context.Context, f blob.File, patient bool) (picture, error) {
	for {
		data, err := s.Files.Paper(ctx, f)
		switch {
		case err == nil:
			return picture{data: data}, nil
		case fault.Of(err) == fault.TooManyRequests && patient: // others' pictures are being drawn
			select {
			case <-ctx.Done():
				return picture{}, ctx.Err()
			case <-time.After(waitsFor):
			}
		case fault.Of(err) != fault.FileNotFound:
			return picture{}, err
		case f.Mime == "image/heic":
			return picture{why: whyHEIC}, nil
		case errors.Is(err, blob.ErrLarge):
			return picture{why: whyLarge}, nil
		default:
			return picture{why: whyBroken}, nil
		}
	}
}

func refOf(f blob.File) string { return "file:" + f.ID }

// shown is a picture in a document; its Ref is "" when it can't be drawn.
type shown struct {
	layout.Picture
	name  string
	why   why
	taken blob.Taken
}

// picture reads an uploaded picture that the caller may see.
func (b *binder) picture(id string, taken bool) (shown, error) {
	f, err := b.s.Reader.FileIn(b.ctx, b.tx, b.view, id)
	if err != nil {
		if fault.Of(err) == fault.FileNotFound {
			return shown{why: whyGone}, nil
		}
		return shown{}, err
	}
	return b.drawn(f, taken), nil
}

// drawn is a picture that has been read; another one is noted, and the document is made again when it is there.
func (b *binder) drawn(f blob.File, taken bool) shown {
	ref := refOf(f)
	p, known := b.out.images[ref]
	if !known || taken && !p.asked {
		b.out.wanted = append(b.out.wanted, wanted{b.r.ID, f, taken})
		return shown{name: f.Name}
	}
	if !b.counted[ref] {
		b.counted[ref] = true
		b.size += len(p.data)
	}
	out := shown{Picture: drawable(ref, p.data), name: f.Name, why: p.why, taken: p.taken}
	if out.Ref == "" {
		out.why = cmp.Or(out.why, whyBroken)
	}
	return out
}

// drawable is a picture by its bytes; its Ref is "" when it can't be drawn.
func drawable(ref string, data []byte) layout.Picture {
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return layout.Picture{}
	}
	return layout.Picture{Ref: ref, Pixels: [2]int{config.Width, config.Height}}
}

// own is a picture that the template names: one of its files, or an upload that the caller may see.
func (b *binder) own(p *catalog.PrintPicture) (shown, error) {
	data, is := b.t.Pictures[p.Ref]
	if !is {
		return b.picture(p.Ref, false)
	}
	ref := "template:" + p.Ref
	b.out.images[ref] = picture{data: data}
	return shown{Picture: drawable(ref, data), name: p.Ref, why: whyBroken}, nil
}

// unreadable is drawn in place of a picture that cannot be.
func (b *binder) unreadable(p shown) layout.Boxes {
	return layout.Boxes{{Text: b.ink(b.sentence(p)),
		Style:    layout.Style{Size: layout.Points(8), Border: layout.Stroke{Width: layout.Points(0.5), Kind: layout.Dashed}, Padding: layout.Millimeter, Horizontal: layout.AlignCenter, Vertical: layout.AlignCenter},
		Overflow: layout.Shrink}}
}

// sentence says that a picture can't be shown, and why.
func (b *binder) sentence(p shown) string {
	s := sentences[cmp.Or(p.why, whyGone)]
	reason := b.in(s[0], s[1])
	if p.name == "" {
		return b.in("图片无法显示：", "Can't show the picture: ") + reason
	}
	return b.in("图片无法显示：", "Can't show the picture: ") + p.name + b.in("（"+reason+"）", " ("+reason+")")
}

// attached are the pictures of an attachment property. Other files are none.
func (b *binder) attached(e *catalog.PrintElement) (all []shown, err error) {
	field, v := b.r.Value(e.Path.Code)
	if v == nil {
		return nil, nil
	}
	of, is := field.Property.(property.Referrer)
	if !is {
		return nil, nil
	}
	taken := e.Sheet != nil && e.Sheet.Caption.Tells("time", "place")
	for _, ref := range of.Refs(v) {
		f, err := b.s.Reader.FileIn(b.ctx, b.tx, b.view, ref.ID)
		switch {
		case fault.Of(err) == fault.FileNotFound:
			all = append(all, shown{why: whyGone})
		case err != nil:
			return nil, err
		case f.IsImage():
			all = append(all, b.drawn(f, taken))
		}
	}
	return all, nil
}

// pictures are those of an attachment property in rows that fill the box or go on over pages, or the picture that the template names.
func (b *binder) pictures(e *catalog.PrintElement) ([]layout.Element, error) {
	var all []shown
	if e.Picture != nil {
		p, err := b.own(e.Picture)
		if err != nil {
			return nil, err
		}
		p.name = cmp.Or(p.name, e.Picture.Ref)
		all = append(all, p)
	} else {
		var err error
		if all, err = b.attached(e); err != nil {
			return nil, err
		}
	}
	switch {
	case len(all) == 0:
		return nil, nil
	case e.Sheet != nil:
		return []layout.Element{{Left: e.Left, Top: e.Top, Width: e.Width, Height: e.Height, Content: b.photoSheet(e, all)}}, nil
	}
	columns := max(1, min(len(all), int(math.Round(math.Sqrt(float64(len(all))*float64(e.Width)/float64(max(e.Height, 1)))))))
	rows := (len(all) + columns - 1) / columns
	w, h := e.Width/layout.Length(columns), e.Height/layout.Length(rows)
	var out []layout.Element
	for i, p := range all {
		one := layout.Element{Left: e.Left + layout.Length(i%columns)*w, Top: e.Top + layout.Length(i/columns)*h, Width: w, Height: h}
		if p.Ref == "" {
			box := b.unreadable(p)
			box[0].Width = w
			one.Content = box
		} else {
			p.Fit = e.Fit
			one.Content = &p.Picture
		}
		out = append(out, one)
	}
	return out, nil
}

// captionLines are how many lines of a caption a row of photos has room for; longer ones make it higher.
const captionLines = 2

// photoSheet are pictures in rows that go on over pages, so many a page, with captions.
func (b *binder) photoSheet(e *catalog.PrintElement, all []shown) *layout.Table {
	s := e.Sheet
	down := layout.Length((s.PerPage + s.Across - 1) / s.Across)
	room := b.t.Setup.Usable()
	if e.Top < room/2 { // as many on the first page as on the others
		room -= e.Top
	}
	row, caption := room/down, layout.Length(0)
	if !s.Caption.Empty() {
		caption = captionLines*s.Style.Size*135/100 + s.Style.Padding
	}
	out := &layout.Table{NoHead: true, BodyHeight: row, Photo: max(row-caption, layout.Millimeter)}
	for range s.Across {
		out.Columns = append(out.Columns, layout.Column{Style: s.Style})
	}
	for from := 0; from < len(all); from += s.Across {
		r := layout.Row{Texts: make([]string, s.Across), Pictures: make([]*layout.Picture, s.Across)}
		for k, p := range all[from:min(from+s.Across, len(all))] {
			text := b.caption(s.Caption, p, from+k+1)
			if p.Ref == "" {
				text = b.ink(b.sentence(p)) + "\n" + text
			} else {
				p.Fit = e.Fit
				r.Pictures[k] = &p.Picture
			}
			r.Texts[k] = text
		}
		out.Rows = append(out.Rows, r)
	}
	return out
}

// caption is the text below a photo, without the spaces that what is not known leaves.
func (b *binder) caption(t catalog.PrintText, p shown, number int) string {
	var out []byte
	for _, part := range t.In(b.locale) {
		out = append(out, b.ink(part.Text)...)
		switch part.Photo {
		case "number":
			out = fmt.Append(out, number)
		case "name":
			out = append(out, b.ink(p.name)...)
		case "time":
			if !p.taken.Time.IsZero() {
				out = append(out, p.taken.Time.Format("2006-01-02 15:04")...)
			}
		case "place":
			if p.taken.Placed {
				out = append(out, b.place(p.taken)...)
			}
		default:
			out = append(out, b.value(part.Path, "")...)
		}
	}
	return string(bytes.TrimSpace(out))
}

// place is where a photo was taken, in degrees with five decimals: a meter.
func (b *binder) place(t blob.Taken) string {
	north, east := math.Abs(t.Latitude), math.Abs(t.Longitude)
	if b.locale == "en" {
		return fmt.Sprintf("%.5f°%s %.5f°%s", north, sign(t.Latitude, "N", "S"), east, sign(t.Longitude, "E", "W"))
	}
	return fmt.Sprintf("%s%.5f° %s%.5f°", sign(t.Latitude, "北纬", "南纬"), north, sign(t.Longitude, "东经", "西经"), east)
}

func sign(v float64, positive, negative string) string {
	if v < 0 {
		return negative
	}
	return positive
}
