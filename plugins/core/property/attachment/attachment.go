// Package attachment is the property type Attachment: files, by their ids.
package attachment

import (
	_ "embed"
	"regexp"
	"strconv"
	"strings"

	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/plan"
	"github.com/sluice-platform/sluice/engine/property"
	"github.com/sluice-platform/sluice/engine/property/column"
	"github.com/sluice-platform/sluice/engine/property/operand"
	"github.com/sluice-platform/sluice/plugins/core/property/internal/ident"
	"golang.org/x/text/unicode/norm"
)

//go:embed options.schema.json
var options []byte

// Register adds the type to a set.
func Register(s *pack.Set) error { return s.Properties.Add(Type{}) }

// Type is the property type.
type Type struct{}

// Name is the type's word in definitions.
func (Type) Name() string { return "Attachment" }

// Wire is the type's number on the wire.
func (Type) Wire() int { return 6 }

// Options is the schema of the type's own options.
func (Type) Options() []byte { return options }

const (
	defaultCount = 20
	largestCount = 200
	defaultSize  = "50MB"
	// The store's table of files and the column of their names.
	fileTable, fileName = "sl_file", "name"
	separator           = "、"
)

type attachment struct {
	column.One
	accept   []string
	maxCount int
	maxSize  int64 // bytes, of one file
}

var _ interface {
	property.Property
	property.Referrer
	property.Filterer
	property.Aggregator
	property.Limiter
	property.FileTaker
	property.CellWriter
	property.Exported
} = attachment{}

var (
	sizeForm   = regexp.MustCompile(`^([1-9][0-9]{0,8})(KB|MB|GB)$`)
	acceptForm = regexp.MustCompile(`^(\.[A-Za-z0-9]+|[a-z]+/(\*|[A-Za-z0-9.+-]+))$`)
	units      = map[string]int64{"KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30}
)

// Compile makes a field.
func (Type) Compile(d def.Property, _ property.Scope) (property.Property, diag.List) {
	var out diag.List
	var o struct {
		Accept   []string `json:"accept"`
		MaxCount *int     `json:"maxCount"`
		MaxSize  string   `json:"maxSize"`
	}
	d.Decode(&o)
	p := attachment{One: column.Only(column.New(d, "", plan.Set)), accept: o.Accept, maxCount: defaultCount}
	if o.MaxCount != nil {
		p.maxCount = *o.MaxCount
		if p.maxCount < 1 || p.maxCount > largestCount {
			n := d.Node.Get("maxCount")
			out = append(out, diag.New("PROP001", n.Pos(), "maxCount", 1, largestCount).At(n.Pointer()))
		}
	}
	p.Column.MaxCount = p.maxCount
	if o.MaxSize == "" {
		o.MaxSize = defaultSize
	}
	size, ok := bytes(o.MaxSize)
	if !ok {
		n := d.Node.Get("maxSize")
		out = append(out, diag.New("PROP011", n.Pos(), o.MaxSize).At(n.Pointer()))
	}
	p.maxSize = size
	for i, a := range o.Accept {
		if n := d.Node.At("accept", strconv.Itoa(i)); !acceptForm.MatchString(a) {
			out = append(out, diag.New("PROP012", n.Pos(), a).At(n.Pointer()))
		}
	}
	return p, out
}

// bytes reads "20MB".
func bytes(s string) (int64, bool) {
	m := sizeForm.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	return n * units[m[2]], err == nil
}

// Parse reads [{"refId"}] or ids.
func (p attachment) Parse(in any) (any, error) {
	ids, err := ident.List(in, "refId")
	switch {
	case err != nil:
		return nil, err
	case len(ids) == 0:
		return nil, nil
	case len(ids) > p.maxCount:
		return nil, property.Refuse(fault.FieldTooMany, p.maxCount)
	}
	return ids, nil
}

func (p attachment) Refs(v any) []plan.Ref {
	var out []plan.Ref
	for _, id := range column.Members(v) {
		out = append(out, plan.Ref{ID: id})
	}
	return out
}

// AppendJSON appends the files that are there.
func (p attachment) AppendJSON(dst []byte, v any, n property.Names) []byte {
	return column.AppendEntries(dst, column.Members(v), func(dst []byte, id string) ([]byte, bool) {
		if n == nil {
			return dst, false
		}
		file, ok := n.Name(plan.Ref{ID: id})
		if !ok {
			return dst, false
		}
		dst = property.AppendQuoted(append(dst, `{"refId":`...), id)
		dst = property.AppendQuoted(append(dst, `,"name":`...), file.Name)
		dst = property.AppendQuoted(append(dst, `,"mimeType":`...), file.Mime)
		dst = strconv.AppendInt(append(dst, `,"size":`...), file.Size, 10)
		dst = strconv.AppendBool(append(dst, `,"isImage":`...), strings.HasPrefix(file.Mime, "image/"))
		if file.Gone {
			dst = append(dst, `,"gone":true`...)
		}
		return append(dst, '}'), true
	})
}

// Text is the names of the files.
func (p attachment) Text(v any, c property.TextContext) string {
	var out []string
	for _, id := range column.Members(v) {
		if c.Names == nil {
			break
		}
		if file, ok := c.Names.Name(plan.Ref{ID: id}); ok {
			out = append(out, file.Name)
		}
	}
	return strings.Join(out, separator)
}

func (p attachment) Operators() []plan.Op { return operand.C() }

func (p attachment) DefaultOperator() plan.Op { return plan.Contains }

// Filter compares the files' names: Contains looks for a text in one of them, Equal wants exactly the given ones.
func (p attachment) Filter(op plan.Op, given any, col func(string) plan.Expr, _ property.FilterContext) (plan.Expr, error) {
	switch op {
	case plan.Contains:
		text, err := operand.Text(given)
		if err != nil {
			return nil, err
		}
		part, err := operand.Part(text)
		if err != nil {
			return nil, err
		}
		return &plan.LinkText{X: p.In(col), Table: fileTable, Column: fileName, Pattern: part}, nil
	case plan.Equal:
		names, ok := operand.Words(given)
		if !ok || len(names) == 0 {
			return nil, operand.Refused(given)
		}
		for i, name := range names {
			names[i] = norm.NFC.String(name)
		}
		return &plan.LinkText{X: p.In(col), Table: fileTable, Column: fileName, Pattern: &plan.Const{K: plan.Set, Value: names}, Whole: true}, nil
	case plan.OpIsNull:
		return operand.Members(op, given, p.In(col), nil)
	}
	return nil, operand.NotAllowed(op)
}

func (p attachment) Aggregates() []plan.Sum { return []plan.Sum{plan.SumCount} }

// Files are the limits of one file.
func (p attachment) Files() property.FileLimits {
	return property.FileLimits{Accept: p.accept, MaxSize: p.maxSize}
}

func (p attachment) FormSchema() map[string]any {
	file := map[string]any{"type": "object", "required": []string{"refId"}, "properties": map[string]any{"refId": map[string]any{"type": "string"}}}
	return map[string]any{"type": "array", "items": file, "maxItems": p.maxCount}
}

// FormOptions: maxSize is in bytes.
func (p attachment) FormOptions() map[string]any {
	o := map[string]any{"maxCount": p.maxCount, "maxSize": p.maxSize}
	if len(p.accept) > 0 {
		o["accept"] = p.accept
	}
	return o
}
