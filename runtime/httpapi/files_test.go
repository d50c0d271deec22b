package httpapi

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/bmp"

	"github.com/sluice-platform/sluice/engine/fault"
)

// uploading is the call that brings a file.
func uploading(t *testing.T, actor, field, name string, content []byte) call {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	require.NoError(t, form.WriteField("note", "is not looked at"))
	part, err := form.CreateFormFile("file", name)
	require.NoError(t, err)
	_, err = part.Write(content)
	require.NoError(t, err)
	require.NoError(t, form.Close())
	return call{method: http.MethodPost, path: "/api/aliyun/upload" + field, body: body.String(), actor: actor,
		headers: map[string]string{"Content-Type": form.FormDataContentType()}}
}

func (w *world) upload(t *testing.T, actor, field, name string, content []byte) (f stored) {
	t.Helper()
	w.send(t, uploading(t, actor, field, name, content)).into(t, &f)
	return f
}

func smallPNG(t *testing.T) []byte {
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 300, 200))))
	return b.Bytes()
}

const (
	ofDrawings = "?schemaCode=drawing&propertyCode=files"
	ofLots     = "?schemaCode=inspection&propertyCode=photos"
	aPDF       = "%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n"
)

// TestFileRights: a file is its uploader's until a record holds it, and then theirs who see the row and the field.
func TestFileRights(t *testing.T) {
	w := shared
	f := w.upload(t, administrator, ofDrawings, "总平面图.pdf", []byte(aPDF))
	require.Equal(t, stored{RefID: f.RefID, Name: "总平面图.pdf", MimeType: "application/pdf", Size: int64(len(aPDF))}, f)
	at := "/api/aliyun/download?refId=" + f.RefID
	require.Equal(t, aPDF, w.get(t, administrator, at).Body.String())
	w.refused(t, fault.FileNotFound, call{method: "GET", path: at, actor: viewer})
	w.refused(t, fault.Unauthenticated, call{method: "GET", path: at, actor: anonymous})

	var saved struct {
		ID      string `json:"id"`
		Version int64  `json:"version"`
	}
	w.post(t, administrator, "/api/runtime/form/save", `{"schemaCode":"drawing","data":{"number":"FILE-1","name":"x","discipline":"`+w.discipline(t)+
		`","revision":"A","status":"REVIEW","files":[{"refId":"`+f.RefID+`"}]}}`).into(t, &saved)
	w.refused(t, fault.FileNotFound, call{method: "GET", path: at, actor: viewer})
	w.post(t, administrator, "/api/runtime/form/save", fmt.Sprintf(`{"schemaCode":"drawing","id":%q,"version":%d,"data":{"status":"ISSUED"}}`, saved.ID, saved.Version)).into(t, &saved)
	got := w.get(t, viewer, at)
	require.Equal(t, aPDF, got.Body.String())
	require.Equal(t, `attachment; filename="____.pdf"; filename*=UTF-8''%E6%80%BB%E5%B9%B3%E9%9D%A2%E5%9B%BE.pdf`, got.Header().Get("Content-Disposition"))
	require.Equal(t, "nosniff", got.Header().Get("X-Content-Type-Options"))
	require.Contains(t, got.Header().Get("Content-Security-Policy"), "sandbox")
	shown := w.get(t, viewer, at+"&inline=1")
	require.True(t, strings.HasPrefix(shown.Header().Get("Content-Disposition"), "inline"))
	require.Contains(t, shown.Header().Get("Content-Security-Policy"), "default-src 'none'")
	require.Equal(t, http.StatusNotModified, w.send(t, call{method: "GET", path: at, actor: viewer, headers: map[string]string{"If-None-Match": got.Header().Get("ETag")}}).Code)
	part := w.send(t, call{method: "GET", path: at, actor: viewer, headers: map[string]string{"Range": "bytes=1-3"}})
	require.Equal(t, http.StatusPartialContent, part.Code)
	require.Equal(t, "PDF", part.Body.String())
	w.refused(t, fault.FileNotFound, call{method: "GET", path: at + "&thumb=1", actor: viewer})

	w.post(t, administrator, "/api/runtime/form/save", fmt.Sprintf(`{"schemaCode":"drawing","id":%q,"version":%d,"data":{"files":[]}}`, saved.ID, saved.Version)).into(t, &saved)
	w.refused(t, fault.FileNotFound, call{method: "GET", path: at, actor: viewer})
}

func (w *world) discipline(t *testing.T) string {
	var options struct {
		Content []struct {
			ID string `json:"id"`
		} `json:"content"`
	}
	w.post(t, administrator, "/api/runtime/form/options", `{"schemaCode":"drawing","propertyCode":"discipline","form":{}}`).into(t, &options)
	return options.Content[0].ID
}

func TestUploadsOfAField(t *testing.T) {
	w := shared
	elf := append([]byte("\x7fELF\x02\x01\x01"), make([]byte, 600)...)
	w.refused(t, fault.FileNotAccepted, uploading(t, administrator, ofDrawings, "a.png", smallPNG(t)))
	w.refused(t, fault.FileContent, uploading(t, administrator, ofLots, "a.png", elf))
	w.refused(t, fault.FileKind, uploading(t, administrator, ofLots, "a.exe", elf))
	w.refused(t, fault.FileEmpty, uploading(t, administrator, "", "a.txt", nil))
	w.refused(t, fault.FileTooLarge, uploading(t, administrator, ofLots, "a.png", append(smallPNG(t), make([]byte, 20<<20)...)))
	half := uploading(t, administrator, ofLots, "a.png", smallPNG(t))
	half.body = half.body[:len(half.body)-80]
	w.refused(t, fault.BadParameter, half)
	none := uploading(t, administrator, "", "a.txt", []byte("x"))
	none.body = strings.Replace(none.body, `name="file"`, `name="other"`, 1)
	w.refused(t, fault.EmptyParameter, none)
	w.refused(t, fault.FieldUnknown, uploading(t, viewer, "?schemaCode=inspection&propertyCode=remark", "a.png", smallPNG(t)))

	f := w.upload(t, administrator, ofLots, "..\\..\\../闸 \u202e1\".PNG", smallPNG(t))
	require.Equal(t, `闸 1".PNG`, f.Name)
	require.True(t, f.IsImage)
	small := w.get(t, administrator, "/api/aliyun/download?thumb=1&refId="+f.RefID)
	require.Equal(t, "image/png", small.Header().Get("Content-Type"))
	c, err := png.DecodeConfig(small.Body)
	require.NoError(t, err)
	require.Equal(t, []int{240, 160}, []int{c.Width, c.Height})
}

// TestPortalPictures: what is brought for a portal page is a picture within the limits, whatever its name and first bytes say.
func TestPortalPictures(t *testing.T) {
	w := shared
	const icon, picture = "?for=portalIcon", "?for=portalPicture"
	good := smallPNG(t)
	require.Equal(t, "image/png", w.upload(t, administrator, icon, "a.png", good).MimeType)
	long := append(bytes.Clone(good), make([]byte, 100<<10)...)
	var drawn bytes.Buffer
	require.NoError(t, bmp.Encode(&drawn, image.NewGray(image.Rect(0, 0, 30, 20))))
	require.True(t, w.upload(t, administrator, picture, "a.png", long).IsImage)
	for _, refused := range []struct {
		name, of string
		file     string
		content  []byte
		want     fault.Code
		zh, en   string
	}{
		{"too large for an icon", icon, "a.png", long, fault.FileTooLarge, "文件不能超过 100 KB", "The file is larger than 100 KB"},
		{"too large", picture, "a.png", append(bytes.Clone(good), make([]byte, 2<<20)...), fault.FileTooLarge, "文件不能超过 2 MB", "The file is larger than 2 MB"},
		{"no picture", icon, "a.pdf", []byte(aPDF), fault.FileNotAccepted, "此字段只接受：PNG, JPEG, GIF", "This field accepts only: PNG, JPEG, GIF"},
		{"a picture that pages do not draw", picture, "a.bmp", drawn.Bytes(), fault.FileNotAccepted, "此字段只接受：PNG, JPEG, GIF, WebP", "This field accepts only: PNG, JPEG, GIF, WebP"},
		{"another name", icon, "a.png", []byte(aPDF), fault.FileContent, "文件“a.png”的内容与扩展名不符，可能已损坏", "The content of “a.png” doesn't match its extension; it may be damaged"},
		{"a head and no picture", icon, "a.png", append(bytes.Clone(good[:12]), "<script>alert(1)</script>"...), fault.FileContent, "文件“a.png”的内容与扩展名不符，可能已损坏", "The content of “a.png” doesn't match its extension; it may be damaged"},
	} {
		t.Run(refused.name, func(t *testing.T) {
			for locale, text := range map[string]string{"zh": refused.zh, "en": refused.en} {
				c := uploading(t, administrator, refused.of, refused.file, refused.content)
				c.headers["Accept-Language"] = locale
				answer := w.send(t, c)
				require.Equal(t, refused.want, answer.Errcode)
				require.Equal(t, http.StatusUnprocessableEntity, answer.Code)
				require.Equal(t, text, answer.Errmsg)
			}
		})
	}
	w.refused(t, fault.BadParameter, uploading(t, administrator, "?for=other", "a.png", good))
}
