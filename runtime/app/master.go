package app

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sluice-platform/sluice/engine/secret"
)

// masterFile is the name of the key in the folder of data.
const masterFile = "sluice.key"

// master is the authn.Master of the configuration: the key itself, its file, or the file in the folder of data. Commands beside
// a server make no key: those that others need to open the database with are made by who serves it.
func (cfg Config) master(make bool) (secret.Text, error) {
	if cfg.Key != "" {
		return cfg.Key, nil
	}
	if cfg.KeyFile != "" {
		text, err := os.ReadFile(cfg.KeyFile)
		if err != nil {
			return "", fmt.Errorf("--key-file: %w", err)
		}
		return secret.Text(strings.TrimSpace(string(text))), nil
	}
	if cfg.Dir == "" {
		return "", nil
	}
	path := filepath.Join(cfg.Dir, masterFile)
	if make && !cfg.Attach && !cfg.Existing {
		if err := makeMaster(path); err != nil {
			return "", fmt.Errorf("make a key for the installation's keys: %w", err)
		}
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if info.Mode().Perm()&0o077 != 0 { // copied, perhaps
		if err := os.Chmod(path, 0o600); err != nil {
			return "", fmt.Errorf("%s can be read by others, and that cannot be changed: %w", path, err)
		}
	}
	text, err := os.ReadFile(path)
	return secret.Text(strings.TrimSpace(string(text))), err
}

// makeMaster writes a new key unless there is one.
func makeMaster(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	key := [32]byte{}
	_, _ = rand.Read(key[:]) // it never fails
	err := keepMaster(path, secret.Text(base64.StdEncoding.EncodeToString(key[:])))
	if errors.Is(err, fs.ErrExist) { // another process was first
		return nil
	}
	return err
}
