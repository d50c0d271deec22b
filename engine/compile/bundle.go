package compile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"

	"github.com/sluice-platform/sluice/engine/def"
)

const (
	bundleFolder   = "ui/dist"
	bundleManifest = bundleFolder + "/manifest.json"
	// Bundles stay in memory, so that a catalog has documents and interface of one state.
	maxBundle      = 16 << 20 // bytes of all files
	maxBundleFiles = 500
)

var (
	bundleFile = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}\.(js|css)$`)
	sdkVersion = regexp.MustCompile(`^[0-9]{1,4}\.[0-9]{1,4}$`)
)

// bundle reads the built interface of the pack. One that cannot be used is told and left out: what it would draw shows a placeholder.
func (l *loader) bundle() {
	if _, err := fs.Stat(l.fsys, bundleManifest); errors.Is(err, fs.ErrNotExist) {
		return
	}
	b, err := readBundle(l.fsys)
	if err == nil && b.Pack != l.pack.Code {
		err = fmt.Errorf("it is of the pack %q", b.Pack)
	}
	if err != nil {
		l.report("PACK031", bundleManifest, reason(err))
		return
	}
	l.pack.Bundle = b
}

func readBundle(fsys fs.FS) (*def.Bundle, error) {
	data, err := readInside(fsys, bundleManifest, maxBundle)
	if err != nil {
		return nil, err
	}
	b := &def.Bundle{Files: map[string][]byte{}}
	if err := json.Unmarshal(data, b); err != nil {
		return nil, err
	}
	switch {
	case !sdkVersion.MatchString(b.SDK):
		return nil, fmt.Errorf("%q is no version of the SDK", b.SDK)
	case !slices.Contains(b.Names, b.Entry):
		return nil, fmt.Errorf("%q is none of its files", b.Entry)
	case len(b.Names) > maxBundleFiles:
		return nil, fmt.Errorf("it has more than %d files", maxBundleFiles)
	}
	for _, name := range b.Styles {
		if !slices.Contains(b.Names, name) {
			return nil, fmt.Errorf("%q is none of its files", name)
		}
	}
	left := maxBundle
	for _, name := range b.Names {
		if !bundleFile.MatchString(name) {
			return nil, fmt.Errorf("%q is no name of a module or style", name)
		}
		if b.Files[name], err = readInside(fsys, path.Join(bundleFolder, name), left); err != nil {
			return nil, err
		}
		left -= len(b.Files[name])
	}
	if found := bundleDigest(b.Files); found != b.Digest {
		return nil, errors.New("its files are not those that were built")
	}
	return b, nil
}

// readInside reads a file of the pack that is not larger than left bytes and no link that leads out of it.
func readInside(fsys fs.FS, name string, left int) ([]byte, error) {
	if !inside(fsys, name) {
		return nil, fmt.Errorf("%s leads out of the pack", name)
	}
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > int64(left) {
		return nil, fmt.Errorf("it is larger than %d MB", maxBundle>>20)
	}
	return fs.ReadFile(fsys, name)
}

// bundleDigest names the content of a bundle; ui/scripts/build-pack.mjs writes the same one.
func bundleDigest(files map[string][]byte) string {
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(sum, "%s %d\n", name, len(files[name]))
		sum.Write(files[name])
	}
	return hex.EncodeToString(sum.Sum(nil))[:32]
}
