package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/sluice-platform/sluice/engine/action"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/kind"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/schemas"
	"github.com/tailscale/hujson"
)

// Schemas are the composed schemas of a set of kinds. They are safe for concurrent use.
type Schemas struct {
	kinds map[def.Kind]*composed
}

type composed struct {
	text     []byte
	root     func() *source.Node // of text: keeps the order of keys, which a validator forgets; for diagnostics and fmt
	compiled *jsonschema.Schema
}

// Compose joins the schemas of the kinds with the options of the set's property types and actions.
func Compose(set *pack.Set, kinds kind.List) (*Schemas, error) {
	out := &Schemas{kinds: map[def.Kind]*composed{}}
	parts, errs := make([]*composed, len(kinds)), make([]error, len(kinds))
	var all sync.WaitGroup
	for i, k := range kinds {
		all.Go(func() {
			if parts[i], errs[i] = kept.compose(k, set); errs[i] != nil {
				errs[i] = fmt.Errorf("schema of %s: %w", k.Code, errs[i])
			}
		})
	}
	all.Wait()
	for i, k := range kinds {
		out.kinds[k.Code] = parts[i]
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return out, nil
}

// JSON returns the composed schema of a kind: one text without references to other files, for any validator or editor.
func (s *Schemas) JSON(kind def.Kind) []byte {
	c := s.kinds[kind]
	if c == nil {
		return nil
	}
	var out bytes.Buffer
	if err := json.Indent(&out, c.text, "", "  "); err != nil {
		panic(err) // the text was compiled
	}
	return out.Bytes()
}

func compileText(kind def.Kind, text []byte) (*composed, error) {
	root := sync.OnceValue(func() *source.Node {
		n, _ := source.Parse(string(kind)+".schema.json", text) // the validator has read it
		return n
	})
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.UseLoader(noLoader{})
	url := "sluice:///" + string(kind) + ".schema.json"
	if err := compiler.AddResource(url, doc); err != nil {
		return nil, err
	}
	compiled, err := compiler.Compile(url)
	return &composed{text: text, root: root, compiled: compiled}, err
}

// noLoader refuses every reference that leaves the text: schemas never reach for files or the network.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s: a schema may refer to itself only", url)
}

var (
	sharedRef = regexp.MustCompile(`"[^"]*(?:common|model|list)\.schema\.json#/\$defs/`)
	localRef  = regexp.MustCompile(`"#/\$defs/(\w+)"`)
)

// bundle makes the composed text of a kind.
func bundle(k kind.Kind, set *pack.Set) ([]byte, error) {
	doc, err := hujson.Parse(selfContained(k.Schema))
	if err != nil {
		return nil, err
	}
	if k.Properties {
		if err := addTypes(&doc, set); err != nil {
			return nil, err
		}
	}
	if k.Actions {
		if err := addActions(&doc, set); err != nil {
			return nil, err
		}
	}
	if k.Widgets {
		if err := addWidgets(&doc, set); err != nil {
			return nil, err
		}
	}
	if k.Readers {
		if err := addReaders(&doc); err != nil {
			return nil, err
		}
	}
	if err := addShared(&doc); err != nil {
		return nil, err
	}
	return doc.Pack(), nil
}

// selfContained lets references to the shared parts point into the text itself, where addShared puts them.
func selfContained(text []byte) []byte { return sharedRef.ReplaceAll(text, []byte(`"#/$$defs/`)) }

// addTypes adds the options of every property type: chosen by propertyType.
func addTypes(doc *hujson.Value, set *pack.Set) error {
	var choices []string
	names := set.Properties.Names()
	for i, name := range names {
		entry, _ := set.Properties.Get(name)
		ref, err := addOptions(doc, "type", name, entry.Options())
		if err != nil {
			return err
		}
		// A type without options is here too, so that the list of choices is the list of types.
		choice := fmt.Sprintf(`{"if": %s, "then": %s}`, typeAmong(names[i:i+1]), ref)
		if i%typesInGroup == 0 {
			choices = append(choices, choice)
		} else {
			choices[len(choices)-1] += "," + choice
		}
	}
	for i, group := range choices {
		from := i * typesInGroup
		choices[i] = fmt.Sprintf(`{"if": %s, "then": {"allOf": [%s]}}`, typeAmong(names[from:min(from+typesInGroup, len(names))]), group)
	}
	if len(names) == 0 {
		return nil
	}
	return patch(doc,
		op("/$defs/property/properties/propertyType/enum", quoted(names)),
		op("/$defs/property/allOf", "["+strings.Join(choices, ",")+"]"))
}

// typesInGroup is how many types one condition asks for before theirs are asked one by one: a validator asks every condition
// for every property, and a large tenant has 17,000 of them.
const typesInGroup = 5

func typeAmong(names []string) string {
	return fmt.Sprintf(`{"properties": {"propertyType": {"enum": %s}}, "required": ["propertyType"]}`, quoted(names))
}

// addActions adds the options of every action: chosen by queryActionType, or by actionCode where that is missing.
func addActions(doc *hujson.Value, set *pack.Set) error {
	names := append(action.Words(&set.Words, action.Word.InLists), "custom") // of a button that the list makes
	var choices []string
	for _, name := range set.Actions.Names() {
		names = append(names, name)
		entry, _ := set.Actions.Get(name)
		ref, err := addOptions(doc, "action", name, entry.Options())
		if err != nil {
			return err
		}
		choices = append(choices, fmt.Sprintf(`{"if": {"anyOf": [
			{"properties": {"queryActionType": {"const": %[1]q}}, "required": ["queryActionType"]},
			{"properties": {"actionCode": {"const": %[1]q}}, "required": ["actionCode"], "not": {"required": ["queryActionType"]}}]}, "then": %[2]s}`, name, ref))
	}
	enum := quoted(names)
	choices = append(choices,
		fmt.Sprintf(`{"if": {"type": "string"}, "then": {"enum": %s}}`, enum),
		fmt.Sprintf(`{"if": {"type": "object", "not": {"required": ["queryActionType"]}}, "then": {"properties": {"actionCode": {"enum": %s}}}}`, enum))
	return patch(doc,
		op("/$defs/action/properties/queryActionType/enum", enum),
		op("/$defs/action/allOf", "["+strings.Join(choices, ",")+"]"))
}

// addWidgets adds the options of every type of widgets: chosen by type. Those of a type that no pack has are not looked at: the page draws
// a placeholder for it.
func addWidgets(doc *hujson.Value, set *pack.Set) error {
	names := set.Widgets.Names()
	var choices []string
	for _, name := range names {
		entry, _ := set.Widgets.Get(name)
		ref, err := addOptions(doc, "widget", name, entry.Options())
		if err != nil {
			return err
		}
		choices = append(choices, fmt.Sprintf(`{"if": {"properties": {"type": {"const": %q}}, "required": ["type"]}, "then": %s}`, name, ref))
	}
	choices = append(choices, fmt.Sprintf(`{"if": {"properties": {"type": {"not": {"enum": %s}}}, "required": ["type"]}, "then": {"additionalProperties": true}}`, quoted(names)))
	return patch(doc,
		op("/$defs/widget/properties/type/examples", quoted(names)),
		op("/$defs/widget/allOf", "["+strings.Join(choices, ",")+"]"))
}

// addReaders adds the key that names the roles which open a document, where the schema does not declare it.
func addReaders(doc *hujson.Value) error {
	if doc.Find("/properties/read") != nil {
		return nil
	}
	return patch(doc, op("/properties/read",
		`{"type": "array", "items": {"$ref": "#/$defs/code"}, "uniqueItems": true, "description": "可打开的角色，默认所有人 / roles that open it; default: everybody"}`))
}

// addOptions puts an entry's own schema under $defs and returns a reference to it. References inside it that point to its
// own parts are moved along; others mean the document's parts (#/$defs/property, #/$defs/options, #/$defs/code, ...).
func addOptions(doc *hujson.Value, sort, name string, options []byte) (string, error) {
	if len(bytes.TrimSpace(options)) == 0 {
		return "true", nil
	}
	own, err := hujson.Parse(selfContained(options))
	if err != nil {
		return "", fmt.Errorf("options of %s: %w", name, err)
	}
	object, ok := own.Value.(*hujson.Object)
	if !ok {
		return "", fmt.Errorf("options of %s: the schema is no object", name)
	}
	kept := object.Members[:0]
	for _, m := range object.Members {
		switch m.Name.Value.(hujson.Literal).String() {
		// The common keys stand beside the options, so an option schema cannot close the object; the base does.
		case "$schema", "$id", "additionalProperties", "unevaluatedProperties":
		default:
			kept = append(kept, m)
		}
	}
	object.Members = kept
	place := "#/$defs/" + sort + "_" + name
	text := localRef.ReplaceAllStringFunc(string(own.Pack()), func(ref string) string {
		if target := strings.Trim(ref, `"`); own.Find(strings.TrimPrefix(target, "#")) != nil {
			return `"` + place + strings.TrimPrefix(target, "#") + `"`
		}
		return ref
	})
	return fmt.Sprintf(`{"$ref": %q}`, place), patch(doc, op(strings.TrimPrefix(place, "#"), text))
}

// shared are the parts of common.schema.json by name.
var shared = sync.OnceValues(func() (map[string]string, error) {
	text, err := schemas.FS.ReadFile("common.schema.json")
	if err != nil {
		return nil, err
	}
	var common struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal(text, &common); err != nil {
		return nil, err
	}
	out := make(map[string]string, len(common.Defs))
	for name, part := range common.Defs {
		out[name] = string(part)
	}
	return out, nil
})

// addShared copies the parts of common.schema.json that the document refers to, and those that they refer to.
func addShared(doc *hujson.Value) error {
	common, err := shared()
	if err != nil {
		return err
	}
	if doc.Find("/$defs") == nil {
		if err := patch(doc, op("/$defs", "{}")); err != nil {
			return err
		}
	}
	for again := true; again; {
		again = false
		var ops []string
		added := map[string]bool{}
		for _, m := range localRef.FindAllStringSubmatch(string(doc.Pack()), -1) {
			pointer := "/$defs/" + m[1]
			if part := common[m[1]]; part != "" && !added[pointer] && doc.Find(pointer) == nil {
				added[pointer] = true
				ops = append(ops, op(pointer, part))
			}
		}
		if again = len(ops) > 0; again {
			if err := patch(doc, ops...); err != nil {
				return err
			}
		}
	}
	return nil
}

func op(path, value string) string {
	return fmt.Sprintf(`{"op": "add", "path": %q, "value": %s}`, path, value)
}

func patch(doc *hujson.Value, ops ...string) error {
	return doc.Patch([]byte("[" + strings.Join(ops, ",") + "]"))
}

func quoted(names []string) string {
	b, _ := json.Marshal(names) // texts always marshal
	return string(b)
}
