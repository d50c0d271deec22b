package blob

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"
	"golang.org/x/text/unicode/norm"

	"github.com/sluice-platform/sluice/engine/fault"
)

// kind is what a file with some ending may be: its type on the wire, and what its content has to look like, as a type that
// the content is or is built on ("application/zip" for office documents).
type kind struct {
	mime    string
	content []string
}

const (
	zipped = "application/zip"
	ole    = "application/x-ole-storage"
	plain  = "text/plain"
	opaque = "application/octet-stream" // no signature known
)

// kinds are the files that are taken, by the ending of their names (SECURITY.md: the type is judged from the content against this list). The
// type that is served comes from here and never from the uploader.
var kinds = map[string]kind{
	".png": {"image/png", []string{"image/png"}}, ".jpg": {"image/jpeg", []string{"image/jpeg"}}, ".jpeg": {"image/jpeg", []string{"image/jpeg"}},
	".gif": {"image/gif", []string{"image/gif"}}, ".webp": {"image/webp", []string{"image/webp"}}, ".bmp": {"image/bmp", []string{"image/bmp"}},
	".tif": {"image/tiff", []string{"image/tiff"}}, ".tiff": {"image/tiff", []string{"image/tiff"}},
	".heic": {"image/heic", []string{"image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence"}},
	".pdf":  {"application/pdf", []string{"application/pdf"}}, ".ofd": {"application/ofd", []string{zipped}},
	".docx": {"application/vnd.openxmlformats-officedocument.wordprocessingml.document", []string{zipped}},
	".xlsx": {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", []string{zipped}},
	".pptx": {"application/vnd.openxmlformats-officedocument.presentationml.presentation", []string{zipped}},
	".odt":  {"application/vnd.oasis.opendocument.text", []string{zipped}},
	".ods":  {"application/vnd.oasis.opendocument.spreadsheet", []string{zipped}},
	".odp":  {"application/vnd.oasis.opendocument.presentation", []string{zipped}},
	".doc":  {"application/msword", []string{ole}}, ".xls": {"application/vnd.ms-excel", []string{ole}}, ".ppt": {"application/vnd.ms-powerpoint", []string{ole}},
	".wps": {"application/vnd.ms-works", []string{ole, zipped}}, ".et": {"application/vnd.ms-excel", []string{ole, zipped}}, ".dps": {"application/vnd.ms-powerpoint", []string{ole, zipped}},
	".mpp": {"application/vnd.ms-project", []string{ole}}, ".vsd": {"application/vnd.visio", []string{ole}}, ".msg": {"application/vnd.ms-outlook", []string{ole}},
	".txt": {plain, []string{plain}}, ".log": {plain, []string{plain}}, ".md": {plain, []string{plain}}, ".csv": {"text/csv", []string{plain}},
	".json": {"application/json", []string{plain}}, ".xml": {"application/xml", []string{plain}}, ".eml": {"message/rfc822", []string{plain}},
	".zip": {zipped, []string{zipped}}, ".rar": {"application/vnd.rar", []string{"application/x-rar-compressed"}},
	".7z": {"application/x-7z-compressed", []string{"application/x-7z-compressed"}}, ".gz": {"application/gzip", []string{"application/gzip"}},
	".mp3": {"audio/mpeg", []string{"audio/mpeg"}}, ".wav": {"audio/wav", []string{"audio/wav"}}, ".m4a": {"audio/mp4", []string{"audio/x-m4a", "audio/mp4", "video/mp4"}},
	".mp4": {"video/mp4", []string{"video/mp4", "video/quicktime", "video/x-m4v"}}, ".mov": {"video/quicktime", []string{"video/quicktime", "video/mp4"}},
	".webm": {"video/webm", []string{"video/webm"}}, ".avi": {"video/x-msvideo", []string{"video/x-msvideo"}},
	".dwg": {"image/vnd.dwg", []string{"image/vnd.dwg"}}, ".dxf": {"image/vnd.dxf", []string{plain, opaque}},
	".ifc": {"application/x-step", []string{plain}}, ".step": {"application/x-step", []string{plain}}, ".stp": {"application/x-step", []string{plain}},
	".rvt": {"application/vnd.autodesk.revit", []string{ole}}, ".nwd": {opaque, []string{opaque}}, ".skp": {opaque, []string{opaque}},
	".glb": {"model/gltf-binary", []string{"model/gltf-binary", opaque}}, ".shp": {"application/vnd.shp", []string{"application/vnd.shp", opaque}},
}

// sniff is how many of the first bytes tell what a file is.
const sniff = 3072

// kindOf decides what a file is by its name and its first bytes.
func kindOf(name string, head []byte) (mime string, err error) {
	k, ok := kinds[strings.ToLower(path.Ext(name))]
	if !ok {
		return "", fault.New(fault.FileKind, path.Ext(name))
	}
	if len(head) == 0 {
		return "", fault.New(fault.FileEmpty)
	}
	found := mimetype.Detect(head)
	for m := found; m != nil; m = m.Parent() {
		for _, want := range k.content {
			if m.Is(want) && (want != opaque || m == found) {
				return k.mime, nil
			}
		}
	}
	return "", fault.New(fault.FileContent, name)
}

// longestName of a file, in characters.
const longestName = 200

// plainName is a file's name as it is kept: no path, no control or direction characters, not too long, in NFC.
func plainName(name string) string {
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, norm.NFC.String(name))
	name = strings.TrimSpace(name)
	if runes := []rune(name); len(runes) > longestName {
		end := []rune(path.Ext(name))
		if len(end) > longestName/2 {
			end = nil
		}
		name = string(runes[:longestName-len(end)]) + string(end)
	}
	return name
}

// Accepts reports whether a file with this name and type is among those that a field takes: ".pdf", "image/*", "image/png".
// No patterns take everything.
func Accepts(patterns []string, name, mime string) bool {
	for _, p := range patterns {
		family, any := strings.CutSuffix(p, "/*")
		switch {
		case strings.HasPrefix(p, "."):
			if strings.EqualFold(p, path.Ext(name)) {
				return true
			}
		case any && strings.HasPrefix(mime, family+"/"), p == mime:
			return true
		}
	}
	return len(patterns) == 0
}
