package blob

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/fault"
)

// Pictures are the types of pictures that every browser draws in a page.
var Pictures = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// Picture refuses a file that is of another type, is larger, or cannot be drawn: FileNotAccepted, FileTooLarge, FileContent. Its
// type and size are those that were found when it was brought; whether it can be drawn its head says.
func (s *Service) Picture(ctx context.Context, f File, most int64, types []string) error {
	if !slices.Contains(types, f.Mime) {
		return fault.New(fault.FileNotAccepted, TypeNames(types))
	}
	if f.Size > most {
		return fault.New(fault.FileTooLarge, SizeText(most))
	}
	content, err := s.Read(ctx, f)
	if err != nil {
		return err
	}
	defer func() { _ = content.Close() }()
	if _, err := measured(content, f.Size, thumbnail); err != nil {
		return fault.Wrap(err, fault.FileContent, f.Name)
	}
	return nil
}

// TypeNames are types of files as people read them: "PNG, JPEG".
func TypeNames(types []string) string {
	names := make([]string, len(types))
	for i, one := range types {
		_, name, _ := strings.Cut(one, "/")
		if names[i] = strings.ToUpper(name); one == "image/webp" {
			names[i] = "WebP"
		}
	}
	return strings.Join(names, ", ")
}

// Drawable reports whether bytes are a picture that every browser draws in a page, as far as their head says.
func Drawable(data []byte) bool {
	m, err := measured(bytes.NewReader(data), int64(len(data)), thumbnail)
	return err == nil && slices.Contains(Pictures, "image/"+m.format)
}
