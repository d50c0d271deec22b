package httpapi

import (
	"encoding/json"
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/sluice-platform/sluice/schemas"
	"gopkg.in/yaml.v3"
)

// contract is schemas/api.yaml, parsed, and the same as JSON for /api/openapi.json.
type contract struct {
	document *openapi3.T
	json     []byte
}

func loadContract() (contract, error) {
	data, err := schemas.FS.ReadFile("api.yaml")
	if err != nil {
		return contract{}, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		return contract{}, fmt.Errorf("schemas/api.yaml: %w", err)
	}
	var tree any
	if err := yaml.Unmarshal(data, &tree); err != nil {
		return contract{}, fmt.Errorf("schemas/api.yaml: %w", err)
	}
	out, err := json.Marshal(tree)
	return contract{document: doc, json: out}, err
}
