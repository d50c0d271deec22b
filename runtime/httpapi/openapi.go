package httpapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/schemas"
	"gopkg.in/yaml.v3"
)

// contract is schemas/api.yaml as JSON, together with the routes of packs.
type contract struct {
	mu     sync.Mutex
	digest string // of the catalog whose routes joined has
	joined []byte
}

// platformCalls is schemas/api.yaml as JSON, made when somebody asks for it first.
var platformCalls = sync.OnceValues(func() ([]byte, error) {
	data, err := schemas.FS.ReadFile("api.yaml")
	if err != nil {
		return nil, err
	}
	var tree any
	if err := yaml.Unmarshal(data, &tree); err != nil {
		return nil, fmt.Errorf("schemas/api.yaml: %w", err)
	}
	return json.Marshal(tree)
})

// with is the contract together with the routes of a catalog's packs: /api/openapi.json.
func (c *contract) with(cat *catalog.Catalog) ([]byte, error) {
	platform, err := platformCalls()
	if err != nil || len(cat.Routes) == 0 {
		return platform, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.digest == cat.Digest {
		return c.joined, nil
	}
	var tree map[string]json.RawMessage
	var paths map[string]map[string]any
	if err := json.Unmarshal(platform, &tree); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(tree["paths"], &paths); err != nil {
		return nil, err
	}
	var components map[string]map[string]any
	if err := json.Unmarshal(tree["components"], &components); err != nil {
		return nil, err
	}
	used := map[string]bool{}
	called := map[string]*catalog.Route{} // the first route of each path, whatever its parameters are called
	for _, r := range cat.Routes {
		first := called[anonymousParameters(r.Path)]
		if first == nil {
			first, called[anonymousParameters(r.Path)] = r, r
		}
		if paths[first.Path] == nil {
			paths[first.Path] = map[string]any{}
		}
		operation, err := operationOf(r, first.Parameters(), components["schemas"], used)
		if err != nil {
			return nil, err
		}
		paths[first.Path][strings.ToLower(r.Method)] = operation
	}
	if tree["paths"], err = json.Marshal(paths); err != nil {
		return nil, err
	}
	if tree["components"], err = json.Marshal(components); err != nil {
		return nil, err
	}
	joined, err := json.Marshal(tree)
	if err != nil {
		return nil, err
	}
	c.digest, c.joined = cat.Digest, joined
	return joined, nil
}

var notWord = regexp.MustCompile(`[^a-zA-Z0-9]+`)

var parameterName = regexp.MustCompile(`\{[^}]*\}`)

// anonymousParameters is a path without the names of its parameters, which must not be all that two paths differ in.
func anonymousParameters(path string) string { return parameterName.ReplaceAllString(path, "{}") }

// operationOf describes a route, whose parameters of the path are called names. Parts that an action's schema refers to become components of the document.
func operationOf(r *catalog.Route, names []string, components map[string]any, used map[string]bool) (map[string]any, error) {
	name := r.Pack + "_" + r.Action.Name() + "_" + strings.ToLower(r.Method) + "_" + strings.Join(r.Parameters(), "_")
	if name = strings.TrimRight(name, "_"); used[name] { // another path leads to the same action
		name += "_" + strings.Trim(notWord.ReplaceAllString(r.Path, "_"), "_")
	}
	used[name] = true
	input, err := embedded(r.Input.JSON(), name+"_input_", components)
	if err != nil {
		return nil, err
	}
	output, err := embedded(r.Output.JSON(), name+"_output_", components)
	if err != nil {
		return nil, err
	}
	op := map[string]any{"operationId": name, "tags": []string{r.Pack}}
	if r.Description != "" {
		op["description"] = r.Description
	}
	if r.Model != nil {
		op["x-right"] = map[string]string{"schemaCode": r.Model.Code, "right": r.Word()}
	}
	success := map[string]any{"type": "object", "required": []string{"errcode", "errmsg", "data"},
		"properties": map[string]any{"errcode": map[string]any{"const": 0}, "errmsg": map[string]any{"type": "string"}, "data": output}}
	op["responses"] = map[string]any{"default": map[string]any{"$ref": "#/components/responses/Failure"},
		"200": map[string]any{"description": "data is the answer of the action", "content": content(success)}}
	if d, ok := r.Action.(action.Downloader); ok {
		mime, _, _ := strings.Cut(d.Gives(), ";")
		op["responses"].(map[string]any)["200"] = map[string]any{"description": "the file", "content": map[string]any{mime: map[string]any{"schema": map[string]any{"type": "string", "format": "binary"}}}}
	}
	parameters := []any{}
	for i, p := range r.Parameters() {
		parameters = append(parameters, map[string]any{"name": names[i], "in": "path", "required": true, "schema": property(input, p)})
	}
	switch r.Method {
	case http.MethodGet, http.MethodDelete:
		parameters = append(parameters, queryParameters(r, input)...)
	default:
		op["requestBody"] = map[string]any{"required": true, "content": content(bodySchema(input, r.Parameters()))}
		if _, ok := r.Action.(action.Uploader); ok {
			op["requestBody"] = map[string]any{"required": true, "content": map[string]any{"multipart/form-data": map[string]any{"schema": withFile(bodySchema(input, r.Parameters()))}}}
		}
	}
	if r.Method != http.MethodGet {
		parameters = append(parameters, map[string]any{"name": "Idempotency-Key", "in": "header",
			"schema": map[string]any{"type": "string", "maxLength": longestKey}})
	}
	if len(parameters) > 0 {
		op["parameters"] = parameters
	}
	return op, nil
}

// withFile is a schema of fields together with the part that is the file.
func withFile(fields any) any {
	return map[string]any{"allOf": []any{fields, map[string]any{"type": "object", "required": []string{"file"},
		"properties": map[string]any{"file": map[string]any{"type": "string", "format": "binary"}}}}}
}

func content(schema any) map[string]any {
	return map[string]any{"application/json": map[string]any{"schema": schema}}
}

// embedded is a schema that is inside the document: its $defs move to the components, under names of their own.
func embedded(text []byte, prefix string, components map[string]any) (any, error) {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	v = moved(v, prefix)
	object, ok := v.(map[string]any)
	if !ok {
		return map[bool]any{true: map[string]any{}, false: map[string]any{"not": map[string]any{}}}[v == true], nil
	}
	if defs, ok := object["$defs"].(map[string]any); ok {
		for name, part := range defs {
			components[prefix+name] = part
		}
	}
	for _, key := range []string{"$schema", "$id", "$defs"} {
		delete(object, key)
	}
	return object, nil
}

// moved lets references to $defs point to where embedded puts them.
func moved(v any, prefix string) any {
	switch v := v.(type) {
	case map[string]any:
		for key, part := range v {
			if ref, ok := part.(string); ok && key == "$ref" {
				if name, local := strings.CutPrefix(ref, "#/$defs/"); local {
					v[key] = "#/components/schemas/" + prefix + name
				}
				continue
			}
			v[key] = moved(part, prefix)
		}
	case []any:
		for i := range v {
			v[i] = moved(v[i], prefix)
		}
	}
	return v
}

func property(schema any, name string) any {
	object, _ := schema.(map[string]any)
	properties, _ := object["properties"].(map[string]any)
	if p, ok := properties[name]; ok {
		return p
	}
	return map[string]any{}
}

func required(schema any) []string {
	object, _ := schema.(map[string]any)
	list, _ := object["required"].([]any)
	var out []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// bodySchema is the input without the parameters of the path.
func bodySchema(input any, parameters []string) any {
	object, ok := input.(map[string]any)
	if !ok || len(parameters) == 0 {
		return input
	}
	out := maps.Clone(object)
	if properties, ok := object["properties"].(map[string]any); ok {
		rest := maps.Clone(properties)
		for _, p := range parameters {
			delete(rest, p)
		}
		out["properties"] = rest
	}
	out["required"] = slices.DeleteFunc(append([]string{}, required(input)...), func(s string) bool { return slices.Contains(parameters, s) })
	return out
}

func queryParameters(r *catalog.Route, input any) (out []any) {
	object, _ := input.(map[string]any)
	properties, _ := object["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if !slices.Contains(r.Parameters(), name) {
			out = append(out, map[string]any{"name": name, "in": "query", "required": slices.Contains(required(input), name), "schema": properties[name]})
		}
	}
	return out
}
