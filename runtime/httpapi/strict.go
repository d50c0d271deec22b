package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/labstack/echo/v5"
	"github.com/sluice-platform/sluice/engine/fault"
)

const maxDepth = 32

// decode reads a request's JSON body strictly: no unknown, repeated or case-variant keys, nothing behind the value,
// numbers kept as text wherever the target is of any type.
func decode(c *echo.Context, into any) error {
	if mime, _, _ := strings.Cut(c.Request().Header.Get("Content-Type"), ";"); strings.TrimSpace(mime) != "application/json" {
		return fault.New(fault.MediaType)
	}
	body, err := io.ReadAll(c.Request().Body)
	if err != nil {
		return err
	}
	if err := uniqueKeys(body); err != nil {
		return fault.Wrap(err, fault.BadJSON, err)
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fault.Wrap(err, fault.BadParameter, strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// uniqueKeys checks that body is one JSON value in which no object repeats a key, in whatever case.
func uniqueKeys(body []byte) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if err := uniqueValue(d, 0); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("more than one value")
	}
	return nil
}

func uniqueValue(d *json.Decoder, depth int) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	open, ok := token.(json.Delim)
	if !ok {
		return nil
	}
	if depth >= maxDepth {
		return fmt.Errorf("nested deeper than %d levels", maxDepth)
	}
	seen := map[string]bool{}
	for d.More() {
		if open == '{' {
			key, err := d.Token()
			if err != nil {
				return err
			}
			folded := strings.ToLower(key.(string))
			if seen[folded] {
				return fmt.Errorf("key %q is repeated", key)
			}
			seen[folded] = true
		}
		if err := uniqueValue(d, depth+1); err != nil {
			return err
		}
	}
	_, err = d.Token()
	return err
}
