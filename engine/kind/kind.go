// Package kind is the contract of a kind of definition: models, lists and forms are kinds, and a pack adds one of its own by
// registering a Kind in pack.Set.Kinds. The loader, the schemas, the compiler, the digest, the command line and the papers walk over the
// registered kinds and know no other list of them (docs/adr/0035).
package kind

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/source"
)

// Kind is one kind of definition.
type Kind struct {
	Code   def.Kind   // singular: "model"
	Label  plan.Label // singular: 模型, "model"
	Folder string     // of a pack that holds the documents, one a file: "models". "" = the pack has one, the file <code>.json
	CSV    bool       // a document may also be a table, <code>.csv
	Data   bool       // documents are rows of records: read only when they are checked

	// Reserved are codes that mean something to the whole installation, such as that of the workbench: they belong to the platform, whatever
	// pack has the document.
	Reserved []string

	// Schema is the JSON Schema (draft 2020-12) of a document. It may refer to the parts of schemas/common.schema.json by "#/$defs/...".
	// "x-short" names the key that a bare text in place of an entry represents, "x-choice" the key whose value decides by if and then
	// which others an object has. Conditions are made of type, const, enum, required, properties, not and anyOf.
	Schema     []byte
	Properties bool // Schema has #/$defs/property, which gets the options of every property type
	Actions    bool // Schema has #/$defs/action, which gets the options of every action
	Widgets    bool // Schema has #/$defs/widget, which gets the options of every widget type

	// Readers says that a document can name in "read" the roles that open it; without it, everybody does. The schema gets the key where it does
	// not declare it, roles that no document has are reported, and to anybody else the document is not there: authz.View.Reads tells.
	Readers bool

	// New makes the value that a file is decoded into: a pointer to a struct that embeds def.Head. nil: the head alone is decoded.
	New func(def.Head) def.Document
	// Files are the scripts and styles that a document names and that stand beside it. May be nil.
	Files func(def.Document) []File
	// Compile links a document and returns what the catalog keeps of it; nil, after a report, when it is at fault. A kind without
	// Compile is checked by its schema alone, and authors are told that this version does nothing else with its documents.
	Compile func(Linker, def.Document) any
	// Earlier links a version of a document that something still follows, against the definitions of now, which it may not fit: what cannot be
	// linked is a broken part of the result, with its reason, and the rest works (docs/adr/0072). nil where nothing can be made of the document.
	// A kind without Earlier has no versions.
	Earlier func(Linker, def.Document) any
	// Parts are the parts of a document that its texts know by codes of their own.
	Parts []Part
	// Messages are the diagnostics of Compile by code, such as CHECKLIST001. Codes of the engine cannot be redefined.
	Messages map[string]diag.Message
}

// Part is a list of a document whose entries have codes: nodes of a workflow.
type Part struct {
	Kind names.Kind // "node"
	List string     // key of the document that holds the list: "nodes"
	Key  string     // key of an entry that holds its code: "id"
}

// Name implements registry.Entry.
func (k Kind) Name() string { return string(k.Code) }

// Options implements registry.Entry.
func (k Kind) Options() []byte { return k.Schema }

// Path is the file of a document within its pack.
func (k Kind) Path(code string) string {
	if k.Folder == "" {
		return string(k.Code) + ".json"
	}
	return path.Join(k.Folder, code+".json")
}

// Decodes returns the value that a file is decoded into.
func (k Kind) Decodes(h def.Head) def.Document {
	if k.New == nil {
		return &h
	}
	return k.New(h)
}

// Reserves reports whether a code, without case, belongs to the platform.
func (k Kind) Reserves(code string) bool {
	return slices.ContainsFunc(k.Reserved, func(r string) bool { return strings.EqualFold(r, code) })
}

// Reads reports whether a file with this ending is a document.
func (k Kind) Reads(ext string) bool { return ext == ".json" || k.CSV && ext == ".csv" }

// File is a text that is next to a document, in the folder of its kind.
type File struct {
	Name  string       // as the document writes it; "" = it names none
	At    *source.Node // where it does
	Ext   string       // that the name must have: ".js"
	Limit int64        // bytes
	To    **def.File   // gets the text, or why there is none, which the compiler reports
}

var (
	codeForm    = regexp.MustCompile(`^[a-z][a-zA-Z0-9]{0,62}$`)
	folderForm  = regexp.MustCompile(`^[a-z][a-z0-9-]{0,62}$`)
	messageForm = regexp.MustCompile(`^[A-Z]{2,20}[0-9]{3,6}$`)
)

// Check tells what is wrong with a kind that a pack registers.
func (k Kind) Check() error {
	switch {
	case !codeForm.MatchString(string(k.Code)):
		return fmt.Errorf("kind %q: the code begins with a small letter and has letters and digits only", k.Code)
	case !folderForm.MatchString(k.Folder):
		return fmt.Errorf("kind %s: the folder %q is no name of a folder in small letters", k.Code, k.Folder)
	case k.Label.Zh == "" || k.Label.I18n["en"] == "":
		return fmt.Errorf("kind %s: the label needs a Chinese and an English text", k.Code)
	case len(k.Schema) == 0:
		return fmt.Errorf("kind %s: a schema is needed", k.Code)
	}
	for _, code := range slices.Sorted(maps.Keys(k.Messages)) {
		switch m := k.Messages[code]; {
		case !messageForm.MatchString(code):
			return fmt.Errorf("kind %s: the message %q is not called by capitals and three to six digits", k.Code, code)
		case slices.Contains(diag.Codes(), code):
			return fmt.Errorf("kind %s: the message %s belongs to the engine", k.Code, code)
		case m.Zh == "" || m.En == "" || m.RepairZh == "" || m.RepairEn == "":
			return fmt.Errorf("kind %s: the message %s needs its text and its repair in both languages", k.Code, code)
		}
	}
	return nil
}

// List is a set of kinds in the order of their declaration.
type List []Kind

// Get returns the kind of a code.
func (l List) Get(code def.Kind) (Kind, bool) {
	return l.find(func(k Kind) bool { return k.Code == code })
}

// InFolder returns the kind whose documents a folder of a pack holds.
func (l List) InFolder(folder string) (Kind, bool) {
	return l.find(func(k Kind) bool { return folder != "" && k.Folder == folder })
}

// OfFile returns the kind of a document by its place: the last two parts of its path.
func (l List) OfFile(file string) (Kind, bool) {
	name, ext := path.Base(file), path.Ext(file)
	if k, ok := l.find(func(k Kind) bool { return k.Folder == "" && k.Path("") == name }); ok {
		return k, true
	}
	k, ok := l.InFolder(path.Base(path.Dir(file)))
	return k, ok && k.Reads(ext)
}

// Folders are the folders that hold documents, sorted.
func (l List) Folders() (out []string) {
	for _, k := range l {
		if k.Folder != "" {
			out = append(out, k.Folder)
		}
	}
	slices.Sort(out)
	return out
}

func (l List) find(ok func(Kind) bool) (Kind, bool) {
	if i := slices.IndexFunc(l, ok); i >= 0 {
		return l[i], true
	}
	return Kind{}, false
}
