package printing_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"image"
	"image/png"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/layout"
	"github.com/sluice-platform/sluice/runtime/blob"
	"github.com/sluice-platform/sluice/runtime/design"
)

// TestUploadedPictures: a seal that is brought in the designer is on paper for all who print with the template, for nobody else, and only where its
// author may read it; it goes into the package as a file.
func TestUploadedPictures(t *testing.T) {
	each(t, func(w *world) {
		ctx := w.Context()
		var err error
		w.ids["boss"], err = w.app.AddUser(ctx, "boss", "boss", []string{"administrator"})
		require.NoError(w, err)
		var seal bytes.Buffer
		require.NoError(w, png.Encode(&seal, image.NewGray(image.Rect(0, 0, 40, 40))))
		put := func(name, file string, data []byte) string {
			f, err := w.app.Files().Put(ctx, blob.Upload{Name: file, By: w.ids[name], Most: 1 << 20, Bytes: bytes.NewReader(data)})
			require.NoError(w, err)
			return f.ID
		}
		id := w.save("clerk", "", 0, `{"title": "T"}`).ID
		draft := func(code, picture, more string) design.Draft {
			return design.Draft{Name: design.Name{Kind: catalog.KindPrint, App: "demo", Code: code}, New: true, Text: fmt.Sprintf(`{"schemaCode": "sheet", "name": "章", "name_i18n": {"en": "Seal"}, %s"pages": [{"elements": [
				{"eleType": "picture", "left": 0, "top": 0, "widthValue": 40, "heightValue": 40, "picUrl": %q}]}]}`, more, picture)}
		}
		keep := func(in design.Draft) error {
			_, err := w.app.Designs().Lock(ctx, w.as("boss"), in.Name, false)
			require.NoError(w, err)
			_, err = w.app.Designs().Keep(ctx, w.as("boss"), in)
			return err
		}
		publish := func(in design.Draft) error {
			_, err := w.app.Designs().Lock(ctx, w.as("boss"), in.Name, false)
			require.NoError(w, err)
			_, err = w.app.Designs().Publish(ctx, w.as("boss"), in)
			return err
		}
		drawn := func(name, template string) (n int) {
			w.Helper()
			out, err := w.app.Prints().Lay(ctx, w.as(name), of(template, id))
			require.NoError(w, err)
			for _, m := range out.Pages[0].Marks {
				if _, is := m.(layout.ImageMark); is {
					n++
				}
			}
			return n
		}
		reads := func(name, file string) bool {
			_, err := w.app.Reader().File(ctx, w.as(name), file)
			if err != nil {
				require.Equal(w, fault.FileNotFound, fault.Of(err))
			}
			return err == nil
		}

		theirs := put("clerk", "theirs.png", seal.Bytes())
		stolen := draft("stolen", theirs, "")
		require.Equal(w, fault.PrintPictureGone, fault.Of(keep(stolen)), "a file that the author may not read")
		err = publish(stolen)
		require.Equal(w, fault.PrintPictureGone, fault.Of(err))
		found, err := w.app.Designs().Check(ctx, w.as("boss"), design.Proof{Draft: stolen, Record: id})
		require.NoError(w, err)
		check := found.Drawn.(*design.PrintDrawn)
		require.NotNil(w, check.Printout, "%v", check.Refused)
		for _, m := range check.Printout.Pages[0].Marks {
			_, is := m.(layout.ImageMark)
			require.False(w, is, "nor does a draft show it")
		}
		err = publish(draft("words", put("boss", "a.txt", []byte("text")), ""))
		require.Equal(w, fault.PrintPicture, fault.Of(err), "no picture")

		own := put("boss", "seal.png", seal.Bytes())
		require.False(w, reads("clerk", own))
		require.NoError(w, keep(draft("sealed", own, "")))
		require.False(w, reads("clerk", own), "a draft is for those who design")
		err = publish(draft("sealed", own, ""))
		require.NoError(w, err)
		require.Equal(w, 1, drawn("clerk", "sealed"))
		require.True(w, reads("clerk", own))
		require.False(w, reads("reader", own), "who may not print")

		secret := put("boss", "secret.png", seal.Bytes())
		err = publish(draft("few", secret, `"read": ["own"], `))
		require.NoError(w, err)
		require.False(w, reads("clerk", secret), "nor with that template")
		require.True(w, reads("own", secret))

		_, data, err := w.app.ExportApp(ctx, w.as("boss"), "demo")
		require.NoError(w, err)
		z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		require.NoError(w, err)
		files := map[string]string{}
		for _, f := range z.File {
			r, err := f.Open()
			require.NoError(w, err)
			text, err := io.ReadAll(r)
			require.NoError(w, err)
			files[f.Name] = string(text)
		}
		packed := ""
		for name, text := range files {
			if strings.Contains(name, "prints/picture-") && text == seal.String() {
				packed = name[strings.LastIndex(name, "/")+1:]
			}
		}
		require.NotEmpty(w, packed)
		for name, text := range files {
			if strings.HasSuffix(name, "prints/sealed.json") {
				require.Contains(w, text, packed)
				require.NotContains(w, text, own)
			}
		}
	})
}
