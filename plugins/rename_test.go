package plugins_test

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sluice-platform/sluice/engine/compile"
	"github.com/sluice-platform/sluice/engine/compile/compiletest"
	"github.com/sluice-platform/sluice/engine/def"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/fault"
	"github.com/sluice-platform/sluice/engine/hook"
	"github.com/sluice-platform/sluice/engine/names"
	"github.com/sluice-platform/sluice/engine/overlay"
	"github.com/sluice-platform/sluice/engine/pack"
	"github.com/sluice-platform/sluice/engine/rename"
	"github.com/sluice-platform/sluice/engine/schema"
	"github.com/sluice-platform/sluice/engine/source"
	"github.com/sluice-platform/sluice/engine/world"
	"github.com/sluice-platform/sluice/plugins"
	"github.com/stretchr/testify/require"
)

// renames are the packs of the product and one on disk, whose files can change.
type renames struct {
	rename.Packs
	dir string // of the pack that changes
}

// composed is the product with the schemas of its documents, made once.
var composed = sync.OnceValues(func() (*pack.Set, *schema.Schemas) {
	set := &pack.Set{}
	s, err := (*schema.Schemas)(nil), plugins.Register(set)
	if err == nil {
		err = plugins.With("quality")(set)
	}
	if err == nil {
		s, err = compile.Schemas(set)
	}
	if err != nil {
		panic(err)
	}
	return set, s
})

// read keeps what was read of the files of all tests.
var read = &compile.Cache{}

func shipLock(*testing.T) *renames {
	set, s := composed()
	return renamesOf(rename.Packs{Set: set, Schemas: s}, "../examples/ship-lock")
}

// qualityOnDisk is the quality pack without the code that names nearly everything in it.
func qualityOnDisk(*testing.T) *renames {
	set, s := composed()
	r := renamesOf(rename.Packs{Set: bare(set), Schemas: s}, "quality")
	last := &r.Folders[len(r.Folders)-1]
	last.FS = overlay.New(last.FS, map[string]*string{"ui/codes.json": nil})
	return r
}

// bare is a program with the extensions of another one, and without its queries and hooks.
func bare(set *pack.Set) *pack.Set {
	out := compiletest.Extensions(set)
	for _, f := range set.Folders() {
		out.AddFolder(f.Path, f.FS)
	}
	return out
}

func renamesOf(p rename.Packs, dir string) *renames {
	p.Options = compile.Options{Zone: time.FixedZone("Asia/Shanghai", 8*60*60), Cache: read}
	of := compile.CodeOf(os.DirFS(dir), dir)
	for _, f := range p.Set.Folders() {
		if code := compile.CodeOf(f.FS, f.Path); code != of && (code == "core" || code == "organisation" || code == "construction" && of == "quality") {
			p.Folders = append(p.Folders, rename.Folder{Folder: compile.Folder{Code: code, Dir: f.Path, FS: f.FS}, Embedded: true})
		}
	}
	p.Folders = append(p.Folders, rename.Folder{Folder: compile.Folder{Code: of, Dir: dir, FS: os.DirFS(dir)}})
	return &renames{Packs: p, dir: dir}
}

// documents are the texts of all documents of the pack that changes.
func (r *renames) documents(t *testing.T) map[string]string {
	t.Helper()
	kinds, out := compile.Kinds(r.Set), map[string]string{}
	fsys := r.Folders[len(r.Folders)-1].FS
	require.NoError(t, fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		if _, is := kinds.OfFile(path.Join("x", name)); err == nil && !e.IsDir() && is {
			data, err := fs.ReadFile(fsys, name)
			out[name] = string(data)
			return err
		}
		return err
	}))
	return out
}

// does renames, and lays the result over the files of the pack.
func (r *renames) does(t *testing.T, requests ...rename.Request) *rename.Result {
	t.Helper()
	done, list := r.Rename(requests...)
	require.Empty(t, text(list))
	over := map[string]*string{}
	for _, c := range done.Changes {
		if c.From != c.To {
			over[strings.TrimPrefix(c.From, path.Clean(r.dir)+"/")] = nil
		}
	}
	for _, c := range done.Changes {
		over[strings.TrimPrefix(c.To, path.Clean(r.dir)+"/")] = &c.Text
	}
	f := &r.Folders[len(r.Folders)-1]
	f.FS = overlay.New(f.FS, over)
	return done
}

// properties are those of the pack's own models, each with a new code that is written nowhere.
func (r *renames) properties(t *testing.T) (out []rename.Request) {
	t.Helper()
	var walk func(owner string, list *source.Node)
	walk = func(owner string, list *source.Node) {
		for _, n := range list.Items() {
			code := n.Get("code").Text()
			out = append(out, rename.Request{Kind: names.Property, Old: owner + "." + code, New: code + "Zq", AllowScripts: true})
			walk(owner+"."+code, n.Get("properties"))
		}
	}
	for file, data := range r.documents(t) {
		if path.Dir(file) == "models" {
			root, _ := source.Parse(file, []byte(data))
			walk(strings.TrimSuffix(path.Base(file), ".json"), root.Get("properties"))
		}
	}
	slices.SortFunc(out, func(a, b rename.Request) int { return strings.Compare(a.Old, b.Old) })
	return out
}

// Where all properties get new codes, nothing is left that has an error or means another thing, and the old codes are written only where they
// are something else. testdata/left.txt lists these places: options, codes of reports, texts, and words of the system.
func TestNothingIsLeftOfOldNames(t *testing.T) {
	var report strings.Builder
	for _, r := range []*renames{shipLock(t), qualityOnDisk(t)} {
		requests := r.properties(t)
		done := r.does(t, requests...)
		require.Greater(t, done.Places, 3*len(requests))
		for _, d := range done.Left {
			require.Equal(t, "FORM025", d.Code, "only scripts name old codes")
		}
		words := map[string]bool{}
		for _, one := range requests {
			words[one.Old[strings.LastIndexByte(one.Old, '.')+1:]] = true
		}
		fmt.Fprintf(&report, "# %s\n", path.Base(r.dir))
		left := map[string]int{}
		for file, data := range r.documents(t) {
			root, _ := source.Parse(file, []byte(data))
			if strings.HasSuffix(file, ".json") {
				k, _ := compile.Kinds(r.Set).OfFile(path.Join("x", file))
				leftovers(root, r.Schemas.Layout(k.Code), words, func(at, word string) { left[path.Dir(file)+" "+at+" "+word]++ })
			}
		}
		for _, line := range slices.Sorted(maps.Keys(left)) {
			fmt.Fprintln(&report, line)
		}
	}
	golden := filepath.Join("testdata", "left.txt")
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(report.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), report.String())
}

var codes = regexp.MustCompile(`[a-zA-Z][a-zA-Z0-9_]*`)

// leftovers finds words in texts and in keys that the schema does not know; indexes in the way to them are left out.
func leftovers(n *source.Node, layout source.Layout, words map[string]bool, tell func(at, word string)) {
	way := regexp.MustCompile(`/\d+`).ReplaceAllString(n.Pointer(), "")
	if words[n.Key] && !slices.Contains(layout.Keys(n.Parent), n.Key) {
		tell(path.Dir(way), "key "+n.Key)
	}
	if last := path.Base(way); n.Kind == source.String && !strings.Contains(way, "_i18n") && last != "renamedFrom" && !strings.Contains(way, "/renamedFrom") && n.Parent.Key != "renamedFrom" {
		for _, word := range codes.FindAllString(n.Text(), -1) {
			if words[word] {
				tell(way, word)
			}
		}
	}
	for _, m := range n.Members {
		leftovers(m, layout, words, tell)
	}
}

// Each property alone gets another code without an error. The seed of those that are tried is told.
func TestAnyPropertyCanBeRenamed(t *testing.T) {
	r := shipLock(t)
	all := r.properties(t)
	seed := uint64(time.Now().UnixNano())
	random := rand.New(rand.NewPCG(seed, 0))
	for range 3 {
		one := all[random.IntN(len(all))]
		_, list := r.Rename(one)
		require.Empty(t, text(list), "%s, seed %d", one.Old, seed)
	}
}

// Renames change the lines that name the things and no other; packs stay as sluice fmt writes them; back again everything is as before, but for
// renamedFrom.
func TestRenameThereAndBack(t *testing.T) {
	for name, c := range map[string]struct {
		of       func(*testing.T) *renames
		requests []rename.Request
		back     []rename.Request
		lines    []string // of the result
		files    []string // that moved
	}{
		"ship-lock": {shipLock, []rename.Request{
			{Kind: names.Property, Old: "contract.amount", New: "price"}, {Kind: names.Property, Old: "contract.payments.paid", New: "settled"},
			{Kind: names.Property, Old: "contract.payments", New: "instalments"}, {Kind: names.Model, Old: "contract", New: "agreement"},
			{Kind: names.Role, Old: "contractManager", New: "buyer"}, {Kind: names.List, Old: "contract_active", New: "running"},
			{Kind: names.Form, Old: "contract", New: "sheet"}, {Kind: names.Workflow, Old: "contractApproval", New: "review"}, {Kind: names.Report, Old: "progress", New: "advance"},
		}, []rename.Request{
			{Kind: names.Property, Old: "agreement.price", New: "amount"}, {Kind: names.Property, Old: "agreement.instalments.settled", New: "paid"},
			{Kind: names.Property, Old: "agreement.instalments", New: "payments"}, {Kind: names.Model, Old: "agreement", New: "contract"},
			{Kind: names.Role, Old: "buyer", New: "contractManager"}, {Kind: names.List, Old: "running", New: "contract_active"},
			{Kind: names.Form, Old: "sheet", New: "contract"}, {Kind: names.Workflow, Old: "review", New: "contractApproval"}, {Kind: names.Report, Old: "advance", New: "progress"},
		}, []string{
			`"computeFormula": "round(record.price * row.ratio, 2)",`, `"formula": "empty(contract) or empty(contract.price) or amount <= contract.price",`,
			`"renamedFrom": "amount",`, `"renamedFrom": "contractApproval",`, `"relativeCode": "agreement",`,
		}, []string{
			"data/agreement.json", "models/agreement.json", "access/buyer.json", "lists/running.json", "forms/sheet.json", "workflows/review.json", "reports/advance.json",
		}},
		"quality": {qualityOnDisk, []rename.Request{
			{Kind: names.Property, Old: "q_record.state", New: "condition"}, {Kind: names.Model, Old: "q_ncr", New: "q_defect"}, {Kind: names.Role, Old: "q_reader", New: "q_guest"},
			{Kind: names.List, Old: "q_ncr_safety", New: "q_safe"}, {Kind: "dictionary", Old: "q_discipline", New: "q_trade"}, {Kind: names.Print, Old: "q01", New: "q_first"},
		}, []rename.Request{
			{Kind: names.Property, Old: "q_record.condition", New: "state"}, {Kind: names.Model, Old: "q_defect", New: "q_ncr"}, {Kind: names.Role, Old: "q_guest", New: "q_reader"},
			{Kind: names.List, Old: "q_safe", New: "q_ncr_safety"}, {Kind: "dictionary", Old: "q_trade", New: "q_discipline"}, {Kind: names.Print, Old: "q_first", New: "q01"},
		}, nil, []string{"models/q_defect.json", "access/q_guest.json", "lists/q_safe.json", "dictionaries/q_trade.json", "prints/q_first.json"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := c.of(t)
			before := r.documents(t)
			done := r.does(t, c.requests...)
			after := r.documents(t)
			whole := strings.Join(slices.Sorted(maps.Values(after)), "")
			for _, line := range c.lines {
				require.Contains(t, whole, line)
			}
			for _, file := range c.files {
				require.Contains(t, after, file)
			}
			for _, change := range done.Changes {
				onlyNames(t, c.requests, before[r.file(change.From)], change.Text)
			}
			r.clean(t, after)
			r.does(t, c.back...)
			again := r.documents(t)
			for file, want := range before {
				require.Equal(t, want, withoutFormer(t, r, file, again[file]), file)
			}
			require.Len(t, again, len(before))
		})
	}
}

// onlyNames checks that lines were changed by putting new codes in the places of old ones. Without renamedFrom, entries have the lines that they had.
func onlyNames(t *testing.T, requests []rename.Request, before, after string) {
	t.Helper()
	plain := func(text string) string {
		text = formerLine.ReplaceAllString(text, "")
		for _, r := range requests {
			_, old := code(r.Old)
			text = regexp.MustCompile(`\b(`+old+`|`+r.New+`)\b`).ReplaceAllString(text, "?")
		}
		return strings.Join(strings.Fields(text), " ")
	}
	require.Equal(t, strings.ReplaceAll(plain(before), " ", ""), strings.ReplaceAll(plain(after), " ", ""))
}

// clean checks that nothing is reported about the packs, and that the documents are as sluice fmt writes them.
func (r *renames) clean(t *testing.T, documents map[string]string) {
	t.Helper()
	packs, list := r.compiled()
	require.Empty(t, text(list), "check is clean")
	for _, p := range packs {
		for _, d := range p.Documents {
			file := d.Header().Node.File()
			if strings.HasPrefix(file, path.Clean(r.dir)+"/") && path.Ext(file) == ".json" {
				require.Equal(t, string(source.Format(d.Header().Node, r.Schemas.Layout(d.Kind))), documents[r.file(file)], file)
			}
		}
	}
}

func code(of string) (owner, last string) {
	i := strings.LastIndexByte(of, '.')
	return of[:max(i, 0)], of[i+1:]
}

func (r *renames) file(name string) string { return strings.TrimPrefix(name, path.Clean(r.dir)+"/") }

func (r *renames) compiled() (packs []*def.Pack, list diag.List) {
	for _, f := range r.Folders {
		p, found := read.Load(f.FS, f.Dir, compile.Kinds(r.Set), r.Schemas)
		packs, list = append(packs, p), append(list, found...)
	}
	_, more := compile.Compile(r.Set, packs, r.Options)
	return packs, append(list, more...)
}

var formerLine = regexp.MustCompile(`(?m)^ *"renamedFrom": .*\n|(, )?"renamedFrom": (\[[^\]]*\]|"[^"]*")`)

// withoutFormer is a document without renamedFrom, in canonical form.
func withoutFormer(t *testing.T, r *renames, file, data string) string {
	t.Helper()
	if !strings.Contains(data, "renamedFrom") || path.Ext(file) != ".json" {
		return data
	}
	root, problems := source.Parse(file, []byte(formerLine.ReplaceAllString(data, "")))
	require.Empty(t, problems)
	k, _ := compile.Kinds(r.Set).OfFile(file)
	return string(source.Format(root, r.Schemas.Layout(k.Code)))
}

// What a rename cannot do is refused with the place, and nothing is changed.
func TestRefusedRenames(t *testing.T) {
	set, s := composed()
	product := renamesOf(rename.Packs{Set: set, Schemas: s}, "quality") // with its hooks and queries
	lock := shipLock(t)
	for name, c := range map[string]struct {
		in      *renames
		request rename.Request
		want    []string
	}{
		"unknown":         {lock, rename.Request{Kind: names.Property, Old: "contract.amuont", New: "x"}, []string{`RENAME001 unknown property "contract.amuont" (did you mean "contract.amount"?)`}},
		"unknown list":    {lock, rename.Request{Kind: names.List, Old: "nothing", New: "x"}, []string{`RENAME001 unknown list "nothing"`}},
		"taken node":      {lock, rename.Request{Kind: names.Node, Old: "contractApproval.commercial", New: "Project"}, []string{`RENAME004 code "Project" is used here by "contractApproval.project"`}},
		"word of targets": {lock, rename.Request{Kind: names.Node, Old: "contractApproval.commercial", New: "previous"}, []string{"RENAME009"}},
		"unknown node":    {lock, rename.Request{Kind: names.Node, Old: "contractApproval.comercial", New: "x"}, []string{`RENAME001 unknown node "contractApproval.comercial" (did you mean "contractApproval.commercial"?)`}},
		"no code":         {lock, rename.Request{Kind: names.Property, Old: "contract.amount", New: "1x"}, []string{`ship-lock/models/contract.json:38:16: error RENAME003 "1x" can't be a code`}},
		"path":            {lock, rename.Request{Kind: names.Property, Old: "contract.amount", New: "contract.total"}, []string{"RENAME003"}},
		"same":            {lock, rename.Request{Kind: names.Property, Old: "contract.amount", New: "amount"}, []string{"RENAME004"}},
		"case only":       {lock, rename.Request{Kind: names.Model, Old: "contract", New: "Contract"}, []string{`ship-lock/models/contract.json: error RENAME004 code "Contract" is used here by "contract"`}},
		"taken":           {lock, rename.Request{Kind: names.Property, Old: "contract.amount", New: "PaidTotal"}, []string{`ship-lock/models/contract.json:`, `RENAME004 code "PaidTotal" is used here by "contract.paidTotal"`}},
		"taken model":     {lock, rename.Request{Kind: names.Model, Old: "contract", New: "payment"}, []string{`ship-lock/models/payment.json: error RENAME004`}},
		"system property": {lock, rename.Request{Kind: names.Property, Old: "contract.amount", New: "version"}, []string{`RENAME005 code "version" belongs to the platform`}},
		"of the system":   {lock, rename.Request{Kind: names.Property, Old: "contract.owner", New: "holder"}, []string{`RENAME005 code "contract.owner" belongs to the platform`}},
		"platform model":  {lock, rename.Request{Kind: names.Model, Old: "user", New: "person"}, []string{"RENAME005"}},
		"code":            {product, rename.Request{Kind: names.Property, Old: "q_qbs_mbs.ratio", New: "share"}, []string{`RENAME007 code of the program uses "ratio": plugins/quality/codes/codes.go:`}},
		"code, an option": {product, rename.Request{Kind: names.Option, Old: "q_ncr.status:FIXED", New: "MENDED"}, []string{`RENAME007 code of the program uses "FIXED": plugins/quality/codes/options.go:`}},
		"interface":       {product, rename.Request{Kind: names.Property, Old: "q_qbs_mbs.ratio", New: "share"}, []string{`RENAME007 code of the program uses "ratio": quality/ui/codes.json:`}},
		"hook":            {product, rename.Request{Kind: names.Model, Old: "q_ncr", New: "q_defect"}, []string{`RENAME007 code of the program uses "q_ncr": plugins/quality/pack.go:`}},
		"query":           {product, rename.Request{Kind: names.Property, Old: "q_record.state", New: "condition"}, []string{"query quality."}},
	} {
		t.Run(name, func(t *testing.T) {
			done, list := c.in.Rename(c.request)
			require.Nil(t, done)
			for _, want := range c.want {
				require.Contains(t, text(list), want)
			}
		})
	}
}

// small is a pack of texts, with the platform's packs.
func small(files map[string]string) *renames {
	set, s := composed()
	r := renamesOf(rename.Packs{Set: set, Schemas: s}, "../examples/ship-lock")
	r.dir = "small"
	r.Options.Cache = nil
	disk := fstest.MapFS{"pack.json": {Data: []byte(`{"code": "small", "name": "小", "name_i18n": {"en": "Small"}, "version": "1.0.0", "requires": ["organisation"]}` + "\n")}}
	for name, text := range files {
		disk[name] = &fstest.MapFile{Data: []byte(text)}
	}
	r.Folders[len(r.Folders)-1] = rename.Folder{Folder: compile.Folder{Code: "small", Dir: "small", FS: disk}}
	return r
}

const orders = `{"name": "订单", "name_i18n": {"en": "Order"}, "name_plural_i18n": {"en": "Orders"}, "digest": "{no} {title}",
  "properties": [
    {"code": "no", "propertyType": "ShortText", "name": "编号", "name_i18n": {"en": "No"}},
    {"code": "title",  "renamedFrom": "caption", "propertyType": "ShortText", "name": "标题", "name_i18n": {"en": "Title"}},
    {"code": "price",  "propertyType": "Number", "name": "单价", "name_i18n": {"en": "Price"}, "renamedFrom": ["cost", "fee"]},
    {"code": "above", "propertyType": "RelevanceForm", "relativeCode": "orders", "name": "上级", "name_i18n": {"en": "Above"}},
    {"code": "lines", "propertyType": "Sheet", "name": "明细", "name_i18n": {"en": "Lines"}, "properties": [
      {"code": "qty", "propertyType": "Number", "name": "数量", "name_i18n": {"en": "Quantity"}},
      {"code": "sum", "propertyType": "Number", "name": "金额", "name_i18n": {"en": "Sum"}, "computeFormula": "qty * \u0070rice"}]},
    {"code": "total", "propertyType": "Number", "name": "合计", "name_i18n": {"en": "Total"}, "computeFormula": "sum(lines, .sum) + (above[\"PRICE\"] ?? 0)"}]}
`

// Names are replaced where they are written, also behind escapes and in other letters; files that are in no canonical form keep theirs.
func TestRenameKeepsTheForm(t *testing.T) {
	r := small(map[string]string{"models/orders.json": orders,
		"data/orders.csv": "\ufeffno,\"price\",title\r\nA-1,3,\"price, \"\"x\"\"\"\r\n",
		"lists/open.json": `{"name": "未结", "name_i18n": {"en": "Open"}, "schemaCode": "ORDERS", "condition": "price > 0 and Price < 9", "queryColumns": ["no", {"propertyCode": "above.price"}],
  "queryPresentation": {"fixedLeftColumns": ["no", "above.price"]}, "queryActions": [{"actionCode": "open", "queryActionType": "custom", "row": true, "name": "打开", "name_i18n": {"en": "Open"},
    "associationType": "url", "associationCode": "/x?from={no}&price={price}&above={above.price}"}]}
`})
	before := r.documents(t)
	r.does(t, rename.Request{Kind: names.Property, Old: "ORDERS.price", New: "rate"}, rename.Request{Kind: names.Property, Old: "orders.title", New: "label"})
	after := r.documents(t)
	want := strings.NewReplacer(`"renamedFrom": ["cost"`, `"renamedFrom": ["price", "cost"`, `"code": "price"`, `"code": "rate"`, `"renamedFrom": "caption"`, `"renamedFrom": ["title", "caption"]`,
		`"code": "title"`, `"code": "label"`, `{no} {title}`, `{no} {label}`, `\u0070rice`, `rate`, `PRICE`, `rate`).Replace(before["models/orders.json"])
	require.Equal(t, want, after["models/orders.json"])
	require.Equal(t, "\ufeffno,\"rate\",label\r\nA-1,3,\"price, \"\"x\"\"\"\r\n", after["data/orders.csv"])
	require.Equal(t, strings.NewReplacer("price > 0 and Price < 9", "rate > 0 and rate < 9", "above.price", "above.rate", "{price}", "{rate}").Replace(before["lists/open.json"]), after["lists/open.json"])

	r.does(t, rename.Request{Kind: names.Model, Old: "orders", New: "purchases"})
	moved := r.documents(t)
	require.Equal(t, after["data/orders.csv"], moved["data/purchases.csv"])
	require.True(t, strings.HasPrefix(moved["models/purchases.json"], `{"renamedFrom": "orders", "name": "订单",`), moved["models/purchases.json"])
	require.Contains(t, moved["lists/open.json"], `"schemaCode": "purchases"`)
	require.NotContains(t, moved, "models/orders.json")
}

// A new code that would hide another name, or be hidden by one, is refused although nothing has an error.
func TestRenameThatWouldMeanAnotherThing(t *testing.T) {
	r := small(map[string]string{"models/orders.json": orders})
	_, list := r.Rename(rename.Request{Kind: names.Property, Old: "orders.lines.qty", New: "price"})
	require.Contains(t, text(list), `small/models/orders.json:9:`)
	require.Contains(t, text(list), `RENAME009 after the rename "price" here would mean orders.lines.price and not orders.price`)
	_, list = r.Rename(rename.Request{Kind: names.Property, Old: "orders.price", New: "qty"})
	require.Contains(t, text(list), `RENAME009`)
	_, list = r.Rename(rename.Request{Kind: names.Property, Old: "orders.price", New: "and"})
	require.Contains(t, text(list), `EXPR001`, "what has an error afterwards is not written")
}

// Uses are told with their places: in documents, in the program, and words that may mean the thing.
func TestUses(t *testing.T) {
	r := small(map[string]string{"models/orders.json": orders, "tests/a.test.json": "{\n  \"values\": {\"price\": 1, \"pricey\": 2}\n}\n", "lists/open.list.js": "// 单价 price\n"})
	uses, problems, refused := r.Uses(names.Property, "orders.price")
	require.Empty(t, text(append(problems, refused...)))
	var out []string
	for _, u := range uses {
		out = append(out, fmt.Sprintf("%s %s %s", u.Position, u.How, u.Written))
	}
	require.Equal(t, []string{
		"small/models/orders.json:5:15 definition price", "small/models/orders.json:9:116 reference price", "small/models/orders.json:10:140 reference PRICE",
		"small/lists/open.list.js:1:7 possible price", "small/tests/a.test.json:2:15 possible price"}, out)
}

const approval = `{"schemaCode": "orders", "name": "审批", "name_i18n": {"en": "Approval"}, "settings": {"instanceName": "{no}: {unit.name} {createdTime:yyyy}"},
  "nodes": [
    {"id": "start", "type": "START", "name": "发起", "name_i18n": {"en": "Start"}, "form": {"fields": {"r": "r", "lines.qty": "rw"}}, "next": ["check"]},
    {"id": "check", "type": "APPROVE", "name": "审核", "name_i18n": {"en": "Check"}, "participants": [
      {"type": "role", "value": ["clerk"], "scope": "byDept:unit"}, {"type": "deptLeader", "of": "field:unit"}],
      "reject": {"targets": ["start"]}, "next": ["split"]},
    {"id": "split", "type": "SPLIT", "name": "分", "name_i18n": {"en": "Split"}, "kind": "XOR", "routes": [
      {"to": "end", "name": "是", "name_i18n": {"en": "Yes"}, "when": "r == 'x' and node('check').result == 'agree'"}, {"to": "end", "name": "否", "name_i18n": {"en": "No"}, "default": true}]},
    {"id": "end", "type": "END", "set": {"r": "r"}}
  ]}
`

const paper = `{"schemaCode": "orders", "name": "纸", "name_i18n": {"en": "Paper"},
  "pages": [{"elements": [
    {"eleType": "text", "left": 0, "top": 0, "widthValue": 40, "text": "no {no}, { r }", "text_i18n": {"en": "r {r}"}, "displayFormula": "R equals yes && {no} is not empty"},
    {"eleType": "sheet", "left": 0, "top": 20, "widthValue": 100, "propertyCode": "lines", "columns": [{"propertyCode": "qty", "widthValue": 40}], "condition": "qty > 0 and r == 'r'"},
    {"eleType": "signature", "left": 0, "top": 60, "widthValue": 40, "heightValue": 10, "node": "check"}
  ]}]}
`

// Names in texts that are no expressions: of workflows, prints and reports. A key and its value may be the same word.
func TestRenameInTexts(t *testing.T) {
	model := `{"name": "订单", "name_i18n": {"en": "Order"}, "name_plural_i18n": {"en": "Orders"}, "properties": [
    {"code": "no", "propertyType": "ShortText", "name": "编号", "name_i18n": {"en": "No"}},
    {"code": "r", "propertyType": "ShortText", "name": "标记", "name_i18n": {"en": "Mark"}},
    {"code": "unit", "propertyType": "DeptSingle", "name": "部门", "name_i18n": {"en": "Unit"}},
    {"code": "lines", "propertyType": "Sheet", "name": "明细", "name_i18n": {"en": "Lines"}, "properties": [
      {"code": "qty", "propertyType": "Number", "name": "数量", "name_i18n": {"en": "Quantity"}}]}]}
`
	r := small(map[string]string{"models/orders.json": model, "workflows/approval.json": approval, "prints/paper.json": paper,
		"access/clerk.json": `{"name": "员", "name_i18n": {"en": "Clerk"}, "models": [{"schemaCode": "orders", "actions": ["view"], "rows": "all", "fields": {"r": "r", "lines.qty": "r"}}]}`})
	before := r.documents(t)
	uses, problems, refused := r.Uses(names.Node, "approval.check")
	require.Empty(t, text(append(problems, refused...)))
	var at []string
	for _, u := range uses {
		at = append(at, u.File+" "+string(u.How)+" "+u.Pointer)
	}
	require.Equal(t, []string{"small/prints/paper.json reference /pages/0/elements/2/node", "small/workflows/approval.json reference /nodes/0/next/0", "small/workflows/approval.json definition /nodes/1/id",
		"small/workflows/approval.json reference /nodes/2/routes/0/when"}, at)
	uses, _, _ = r.Uses(names.Node, "approval.start")
	require.Len(t, uses, 1, "where a rejection leads to is the word for START")

	r.does(t, rename.Request{Kind: names.Property, Old: "orders.r", New: "mark"}, rename.Request{Kind: names.Property, Old: "orders.no", New: "serial"},
		rename.Request{Kind: names.Property, Old: "orders.unit", New: "office"}, rename.Request{Kind: names.Property, Old: "orders.lines.qty", New: "number"},
		rename.Request{Kind: names.Property, Old: "orders.lines", New: "items"}, rename.Request{Kind: names.Role, Old: "clerk", New: "agent"})
	after := r.documents(t)
	require.Equal(t, strings.NewReplacer("{no}: {unit.name}", "{serial}: {office.name}", `{"r": "r", "lines.qty": "rw"}`, `{"mark": "r", "items.number": "rw"}`, "clerk", "agent", "byDept:unit", "byDept:office",
		"field:unit", "field:office", "r == 'x'", "mark == 'x'", `"set": {"r": "r"}`, `"set": {"mark": "r"}`).Replace(before["workflows/approval.json"]), after["workflows/approval.json"])
	require.Equal(t, strings.NewReplacer("no {no}, { r }", "no {serial}, { mark }", "r {r}", "r {mark}", "R equals yes && {no} is", "mark equals yes && {serial} is", `"lines"`, `"items"`, `"qty"`, `"number"`,
		"qty > 0 and r == 'r'", "number > 0 and mark == 'r'").Replace(before["prints/paper.json"]), after["prints/paper.json"])
	require.Contains(t, after["access/agent.json"], `"fields": {"mark": "r", "items.number": "r"}`)
}

// A node is named by its workflow, by paper, and by conditions on tasks of records of the workflow's model.
func TestRenameOfNodes(t *testing.T) {
	model := `{"name": "订单", "name_i18n": {"en": "Order"}, "name_plural_i18n": {"en": "Orders"}, "properties": [
    {"code": "no", "propertyType": "ShortText", "name": "编号", "name_i18n": {"en": "No"}},
    {"code": "r", "propertyType": "ShortText", "name": "标记", "name_i18n": {"en": "Mark"}},
    {"code": "unit", "propertyType": "DeptSingle", "name": "部门", "name_i18n": {"en": "Unit"}},
    {"code": "lines", "propertyType": "Sheet", "name": "明细", "name_i18n": {"en": "Lines"}, "properties": [
      {"code": "qty", "propertyType": "Number", "name": "数量", "name_i18n": {"en": "Quantity"}}]}]}
`
	due := `{
  "schemaCode": "orders",
  "name": "待审",
  "name_i18n": {"en": "Due"},
  "condition": "any(tasks_, .workflow == 'approval' and .node == 'check') or any(tasks_, has(['check'], .node)) or any(tasks_, .node in ['check', 'end'] and .list != 'check')",
  "queryColumns": ["no"]
}
`
	files := map[string]string{"models/orders.json": model, "workflows/approval.json": approval, "prints/paper.json": paper, "lists/due.json": strings.ReplaceAll(due, "!= 'check'", "!= 'read'"),
		"access/clerk.json": `{"name": "员", "name_i18n": {"en": "Clerk"}, "models": [{"schemaCode": "orders", "actions": ["view"], "rows": "all", "fields": {"r": "r", "lines.qty": "r"}}]}`}
	r := small(files)
	before := r.documents(t)
	r.does(t, rename.Request{Kind: names.Node, Old: "approval.check", New: "review"}, rename.Request{Kind: names.Workflow, Old: "approval", New: "consent"})
	after := r.documents(t)
	require.Equal(t, strings.NewReplacer("'approval'", "'consent'", "'check'", "'review'").Replace(before["lists/due.json"]), after["lists/due.json"])
	require.Equal(t, strings.Replace(before["prints/paper.json"], `"node": "check"`, `"node": "review"`, 1), after["prints/paper.json"])
	require.Contains(t, after["workflows/consent.json"], `"id": "review", "renamedFrom": "check"`)
	require.Contains(t, after["workflows/consent.json"], `node('review').result`)
	require.NotContains(t, strings.ReplaceAll(after["workflows/consent.json"], `"renamedFrom": "check"`, ""), "check")

	files["workflows/other.json"] = strings.ReplaceAll(approval, `"approval"`, `"other"`)
	r = small(files)
	_, refused := r.Rename(rename.Request{Kind: names.Node, Old: "approval.check", New: "review"})
	require.Contains(t, text(refused), "RENAME009", "paper and list mean the node of either workflow")
}

// Code of the program that names a thing keeps its code; a query must not come to mean another property either.
func TestRenameOfWhatTheProgramNames(t *testing.T) {
	r := small(map[string]string{"models/orders.json": orders,
		"models/papers.json": `{"name": "纸", "name_i18n": {"en": "Paper"}, "name_plural_i18n": {"en": "Papers"}, "properties": [{"code": "order", "propertyType": "RelevanceForm", "relativeCode": "orders", "name": "订单", "name_i18n": {"en": "Order"}}]}`})
	set := bare(r.Set)
	require.NoError(t, set.Queries.Add(world.Query{Code: "small.dear", Model: "orders.lines", Where: "price > 1 and total > 2"}))
	_, _, line, _ := runtime.Caller(0)
	hooks := set.On("orders")
	hooks.Codes = map[hook.Refusal]fault.Code{{Property: "no", Code: fault.FieldType}: fault.FieldType}
	hooks.Holders = map[string]fault.Code{"papers": fault.FieldType}
	r.Set = set
	for _, c := range []struct {
		request rename.Request
		want    string
	}{
		{rename.Request{Kind: names.Property, Old: "orders.price", New: "rate"}, `query small.dear: error RENAME007 code of the program uses "price"`},
		{rename.Request{Kind: names.Model, Old: "orders", New: "purchases"}, `plugins/rename_test.go:` + strconv.Itoa(line+1) + `:1: error RENAME007 code of the program uses "orders"`},
		{rename.Request{Kind: names.Property, Old: "orders.lines", New: "items"}, `query small.dear: error RENAME007 code of the program uses "lines"`},
		{rename.Request{Kind: names.Model, Old: "papers", New: "sheets"}, `plugins/rename_test.go:` + strconv.Itoa(line+1) + `:1: error RENAME007 code of the program uses "papers"`},
		{rename.Request{Kind: names.Property, Old: "orders.no", New: "serial"}, `plugins/rename_test.go:` + strconv.Itoa(line+1) + `:1: error RENAME007 code of the program uses "no"`},
		{rename.Request{Kind: names.Property, Old: "orders.lines.qty", New: "total"}, `query small.dear: error RENAME009`},
	} {
		done, list := r.Rename(c.request)
		require.Nil(t, done)
		require.Contains(t, text(list), c.want)
	}
	done, list := r.Rename(rename.Request{Kind: names.Property, Old: "orders.title", New: "label"})
	require.Empty(t, text(list))
	require.Equal(t, []rename.Use{{Position: diag.Position{File: "hooks on orders"}, How: rename.Possible, Written: "title"}}, done.Possible, "hooks of its model may name it")
}

// What else names things: options of properties, related records, reports, pages, sub-workflows, roles of people in tables.
func TestRenameInOtherKinds(t *testing.T) {
	named := func(zh, en string) string {
		return fmt.Sprintf(`"name": %q, "name_i18n": {"en": %q}`, zh, en)
	}
	r := small(map[string]string{
		"models/orders.json": `{` + named("订单", "Order") + `, "name_plural_i18n": {"en": "Orders"}, "properties": [
    {"code": "no", "propertyType": "ShortText", ` + named("编号", "No") + `},
    {"code": "area", "propertyType": "Dropdown", "dictionary": "region", ` + named("区", "Area") + `},
    {"code": "place", "propertyType": "Dropdown", "dictionary": "region", "dependsOn": "area", ` + named("地", "Place") + `},
    {"code": "papers", "propertyType": "Number", ` + named("份", "Papers") + `, "computeFormula": "count(related('notes', 'order'))"},
    {"code": "lines", "propertyType": "Sheet", ` + named("明细", "Lines") + `, "properties": [{"code": "qty", "propertyType": "Number", ` + named("数量", "Quantity") + `}]}]}`,
		"models/notes.json":        `{` + named("纸", "Note") + `, "name_plural_i18n": {"en": "Notes"}, "properties": [{"code": "order", "propertyType": "RelevanceForm", "relativeCode": "orders", ` + named("订单", "Order") + `}]}`,
		"dictionaries/region.json": `{` + named("区域", "Region") + `, "items": [{"code": "N", ` + named("北", "North") + `, "items": [{"code": "N1", ` + named("北一", "North 1") + `}]}]}`,
		"lists/open.json":          `{` + named("未结", "Open") + `, "schemaCode": "orders", "queryColumns": ["no"]}`,
		"reports/sums.json": `{` + named("汇总", "Sums") + `, "dataSets": [{"code": "s", ` + named("集", "Set") + `, "schemaCode": "orders", "sheet": "lines", "groups": ["no"], "orderBy": [{"code": "no"}],
    "measures": [{"code": "amount", ` + named("量", "Amount") + `, "sumType": "sum", "propertyCode": "lines.qty"}]}],
  "charts": [{"code": "c", "chartType": "bar", ` + named("图", "Chart") + `, "dataSet": "s", "queryCode": "open", "category": "no", "series": ["amount"]}]}`,
		"portals/side.json":    `{` + named("侧", "Side") + `, "widgets": []}`,
		"portals/home.json":    `{` + named("主", "Home") + `, "widgets": [{"type": "RowMenu", "code": "m", "x": 0, "y": 0, "width": 12, "height": 9, "navigator": [{"title": "a", "title_i18n": {"en": "a"}, "icon": "home", "actionType": "portalPage", "portalCode": "side"}]}]}`,
		"workflows/child.json": `{"schemaCode": "orders", ` + named("子", "Child") + `, "nodes": [{"id": "start", "type": "START", ` + named("发", "Start") + `, "next": ["end"]}, {"id": "end", "type": "END"}]}`,
		"workflows/whole.json": `{"schemaCode": "orders", ` + named("主", "Whole") + `, "nodes": [{"id": "start", "type": "START", ` + named("发", "Start") + `, "next": ["look"]},
    {"id": "look", "type": "APPROVE", ` + named("看", "Look") + `, "participants": [{"type": "initiator"}], "time": {"timeoutMinutes": 60, "onTimeout": [{"action": "jump", "to": "end"}]}, "next": ["sub"]},
    {"id": "sub", "type": "SUB", ` + named("子", "Sub") + `, "workflowCode": "child", "next": ["end"]}, {"id": "end", "type": "END"}]}`,
		"access/clerk.json": `{` + named("员", "Clerk") + `, "models": [{"schemaCode": "orders", "actions": ["view"], "rows": "all"}]}`,
		"access/agent.json": `{` + named("代", "Agent") + `, "models": [{"schemaCode": "orders", "actions": ["view"], "rows": "all"}]}`,
		"data/user.csv":     "username,name,roles\nli,Li,agent; clerk\n",
	})
	before := r.documents(t)
	_, problems, _ := r.Uses(names.Model, "orders")
	require.False(t, problems.HasErrors(), text(problems))
	uses, _, _ := r.Uses(names.Node, "whole.end")
	require.Len(t, uses, 3, "the definition, the jump and the way")
	r.does(t, rename.Request{Kind: names.Property, Old: "orders.area", New: "zone"}, rename.Request{Kind: names.Property, Old: "orders.no", New: "serial"}, rename.Request{Kind: names.Property, Old: "orders.lines", New: "items"},
		rename.Request{Kind: names.Property, Old: "notes.order", New: "about"}, rename.Request{Kind: names.Model, Old: "notes", New: "memos"}, rename.Request{Kind: "dictionary", Old: "region", New: "part"},
		rename.Request{Kind: names.List, Old: "open", New: "due"}, rename.Request{Kind: names.Portal, Old: "side", New: "edge"}, rename.Request{Kind: names.Workflow, Old: "child", New: "nested"}, rename.Request{Kind: names.Role, Old: "clerk", New: "scribe"})
	after := r.documents(t)
	plain := func(text string) string {
		root, problems := source.Parse("", []byte(formerLine.ReplaceAllString(text, "")))
		require.Empty(t, problems)
		return string(root.Raw())
	}
	require.Equal(t, plain(strings.NewReplacer(`"area"`, `"zone"`, `"no"`, `"serial"`, `"lines"`, `"items"`, `"region"`, `"part"`, "related('notes', 'order')", "related('memos', 'about')").Replace(before["models/orders.json"])), plain(after["models/orders.json"]))
	require.Equal(t, strings.NewReplacer(`"no"`, `"serial"`, `"lines"`, `"items"`, "lines.qty", "items.qty", `"open"`, `"due"`).Replace(before["reports/sums.json"]), after["reports/sums.json"])
	require.Equal(t, strings.Replace(before["portals/home.json"], `"side"`, `"edge"`, 1), after["portals/home.json"])
	require.Equal(t, strings.Replace(before["workflows/whole.json"], `"child"`, `"nested"`, 1), after["workflows/whole.json"])
	require.Equal(t, "username,name,roles\nli,Li,agent; scribe\n", after["data/user.csv"])
}

// The code of an application is that of its pack: roles, pages, their widgets and the packs that require it name it.
func TestRenameOfApplications(t *testing.T) {
	named := func(zh, en string) string {
		return fmt.Sprintf(`"name": %q, "name_i18n": {"en": %q}`, zh, en)
	}
	disk := func(files map[string]string) fstest.MapFS {
		out := fstest.MapFS{}
		for name, text := range files {
			out[name] = &fstest.MapFile{Data: []byte(text + "\n")}
		}
		return out
	}
	menu := `{` + named("店", "Shop") + `, "menu": [{"code": "home", "type": "HomePage"}]}`
	r := small(map[string]string{"app.json": menu + "\n",
		"access/clerk.json":   `{` + named("员", "Clerk") + `, "apps": ["Small"]}` + "\n",
		"portals/front.json":  `{` + named("前", "Front") + `, "appCode": "small", "widgets": [{"type": "RowMenu", "code": "m", "x": 0, "y": 0, "width": 12, "height": 9, "navigator": [{"title": "a", "title_i18n": {"en": "a"}, "icon": "home", "actionType": "app", "appCode": "small"}]}]}` + "\n",
		"tests/a.test.json":   `{"app": "small"}` + "\n",
		"portals/shared.json": `{` + named("共", "Shared") + `, "widgets": []}` + "\n",
	})
	beside := compile.Folder{Code: "other", Dir: "other", FS: disk(map[string]string{
		"pack.json":          `{"code": "other", ` + named("他", "Other") + `, "version": "1.0.0", "requires": ["organisation", {"code": "small", "version": ">=1"}]}`,
		"app.json":           menu,
		"access/reader.json": `{` + named("读", "Reader") + `, "apps": ["other", "small"]}`,
	})}
	r.Folders = append(r.Folders[:len(r.Folders)-1], rename.Folder{Folder: beside}, r.Folders[len(r.Folders)-1])
	uses, problems, refused := r.Uses(names.App, "small")
	require.Empty(t, text(append(problems, refused...)))
	var at []string
	for _, u := range uses {
		at = append(at, u.File+" "+string(u.How)+" "+u.Pointer)
	}
	require.Equal(t, []string{"other/access/reader.json reference /apps/1", "other/pack.json reference /requires/1/code", "small/access/clerk.json reference /apps/0", "small/pack.json definition /code",
		"small/portals/front.json reference /appCode", "small/portals/front.json reference /widgets/0/navigator/0/appCode", "small/tests/a.test.json possible "}, at)

	done := r.does(t, rename.Request{Kind: names.App, Old: "small", New: "store"})
	var files []string
	for _, c := range done.Changes {
		require.Equal(t, c.From, c.To)
		files = append(files, c.From)
	}
	require.Equal(t, []string{"other/access/reader.json", "other/pack.json", "small/access/clerk.json", "small/pack.json", "small/portals/front.json"}, files)
	require.Contains(t, done.Changes[0].Text, `"apps": ["other", "store"]`)
	require.Contains(t, done.Changes[1].Text, `"requires": ["organisation", {"code": "store", "version": ">=1"}]`)
	after := r.documents(t)
	require.Contains(t, after["pack.json"], `"code": "store", "renamedFrom": "small",`)
	require.Contains(t, after["access/clerk.json"], `"apps": ["store"]`)
	require.Equal(t, 2, strings.Count(after["portals/front.json"], `"appCode": "store"`))

	_, refused = r.Rename(rename.Request{Kind: names.App, Old: "other", New: "store"})
	require.Contains(t, text(refused), `RENAME004 code "store" is used here by "store"`)
	_, refused = r.Rename(rename.Request{Kind: names.App, Old: "organisation", New: "people"})
	require.Contains(t, text(refused), "RENAME005")
	_, refused = r.Rename(rename.Request{Kind: names.App, Old: "smal", New: "people"})
	require.Contains(t, text(refused), `RENAME001 unknown application "smal"`)
	set := bare(r.Set)
	codes := pack.NewCodes("store")
	codes.Role("clerk")
	set.Declare(codes)
	r.Set = set
	_, refused = r.Rename(rename.Request{Kind: names.App, Old: "store", New: "people"})
	require.Contains(t, text(refused), `RENAME007 code of the program uses "store": plugins/rename_test.go:`)
	set = bare(r.Set)
	codes = pack.NewCodes("other")
	codes.Where("store").Role("clerk")
	set.Declare(codes)
	r.Set = set
	_, refused = r.Rename(rename.Request{Kind: names.App, Old: "store", New: "people"})
	require.Contains(t, text(refused), `RENAME007 code of the program uses "store": plugins/rename_test.go:`)
}

// Options are named by expressions, conditions of lists, rows and workflows; those of two properties, and two that differ in case, are told apart.
func TestRenameOptions(t *testing.T) {
	named := func(zh, en string) string {
		return fmt.Sprintf(`"name": %q, "name_i18n": {"en": %q}`, zh, en)
	}
	r := small(map[string]string{
		"models/orders.json": `{` + named("订单", "Order") + `, "name_plural_i18n": {"en": "Orders"}, "properties": [
    {"code": "unit", "propertyType": "Dropdown", "dictionary": "units", ` + named("单位", "Unit") + `, "defaultValue": "'m'"},
    {"code": "state", "propertyType": "Radio", "options": ["m", "M", "done"], ` + named("状态", "State") + `},
    {"code": "tags", "propertyType": "Checkbox", "dictionary": "units", ` + named("标", "Tags") + `, "requiredFormula": "unit == (state == 'm' ? 'm' : 'kg') or has(['m', 'M'], unit)"},
    {"code": "text", "propertyType": "ShortText", ` + named("文", "Text") + `, "computeFormula": "tags == ['m', 'kg'] ? 'm' : 'none'"}]}`,
		"dictionaries/units.json": `{` + named("单位", "Units") + `, "items": [{"code": "m", ` + named("米", "Metre") + `, "items": [{"code": "M", ` + named("兆", "Mega") + `}]}, {"code": "kg", ` + named("千克", "Kilo") + `}]}`,
		"lists/orders.json": `{` + named("订单", "Orders") + `, "schemaCode": "orders", "queryColumns": ["unit"], "condition": "unit in ['m', 'kg'] and state != 'm'",
    "queryConditions": [{"propertyCode": "unit", "options": ["m", "M"], "defaultValue": "m;M"}, {"propertyCode": "state", "defaultValue": "m"}]}`,
		"workflows/whole.json": `{"schemaCode": "orders", ` + named("主", "Whole") + `, "nodes": [{"id": "start", "type": "START", ` + named("发", "Start") + `, "next": ["end"]}, {"id": "end", "type": "END", "set": {"unit": "m", "state": {"formula": "unit == 'm' ? 'm' : 'M'"}}}]}`,
		"access/clerk.json":    `{` + named("员", "Clerk") + `, "models": [{"schemaCode": "orders", "actions": ["view"], "rows": "tags contains 'm'"}]}`,
		"data/orders.csv":      "unit,tags,state\nm,M; m,m\n",
	})
	before := r.documents(t)
	_, problems, _ := r.Uses(names.Option, "units:m")
	require.False(t, problems.HasErrors(), text(problems))
	r.does(t, rename.Request{Kind: names.Option, Old: "units:m", New: "metre"}, rename.Request{Kind: names.Option, Old: "orders.state:m", New: "open"})
	want := map[string][]string{
		"models/orders.json": {`"defaultValue": "'m'"`, `"defaultValue": "'metre'"`, `["m", "M", "done"]`, `[{"code": "open", "name": "m", "renamedFrom": "m"}, "M", "done"]`,
			`state == 'm' ? 'm' :`, `state == 'open' ? 'metre' :`, `has(['m', 'M']`, `has(['metre', 'M']`, `tags == ['m', 'kg'] ? 'm'`, `tags == ['metre', 'kg'] ? 'm'`},
		"dictionaries/units.json": {`"code": "m"`, `"code": "metre", "renamedFrom": "m"`},
		"lists/orders.json":       {`unit in ['m', 'kg'] and state != 'm'`, `unit in ['metre', 'kg'] and state != 'open'`, `["m", "M"]`, `["metre", "M"]`, `"m;M"`, `"metre;M"`, `"defaultValue": "m"`, `"defaultValue": "open"`},
		"workflows/whole.json":    {`"unit": "m"`, `"unit": "metre"`, `unit == 'm' ? 'm' :`, `unit == 'metre' ? 'open' :`},
		"access/clerk.json":       {`contains 'm'`, `contains 'metre'`},
		"data/orders.csv":         {"m,M; m,m", "metre,M; metre,open"},
	}
	after := r.documents(t)
	for file, pairs := range want {
		require.Equal(t, strings.NewReplacer(pairs...).Replace(before[file]), after[file], file)
	}
	done, list := r.Rename(rename.Request{Kind: names.Option, Old: "units:metre", New: "kg"})
	require.Nil(t, done)
	require.Contains(t, text(list), `RENAME004 code "kg" is used here by "units:kg"`)
	for _, code := range []string{"a;b", "it's", " x", "a,b", ""} {
		_, list = r.Rename(rename.Request{Kind: names.Option, Old: "units:metre", New: code})
		require.Contains(t, text(list), "RENAME013")
	}
	r.does(t, rename.Request{Kind: names.Option, Old: "orders.state:M", New: "m"})
	require.Contains(t, r.documents(t)["workflows/whole.json"], `'open' : 'm'`, "in other letters only")
}

// What holds the code of a document names the document: values of data files, defaults and literals that are compared with it.
func TestRenameHeldCodes(t *testing.T) {
	named := func(zh, en string) string {
		return fmt.Sprintf(`"name": %q, "name_i18n": {"en": %q}`, zh, en)
	}
	r := small(map[string]string{
		"models/papers.json": `{` + named("纸", "Paper") + `, "name_plural_i18n": {"en": "Papers"}, "properties": [{"code": "no", "propertyType": "ShortText", ` + named("号", "No") + `}]}` + "\n",
		"models/tasks.json": `{` + named("事", "Task") + `, "name_plural_i18n": {"en": "Tasks"}, "properties": [
    {"code": "of", "propertyType": "Dropdown", "holds": "model", ` + named("对象", "Of") + `, "defaultValue": "'papers'"},
    {"code": "who", "propertyType": "DropdownMulti", "holds": "role", ` + named("谁", "Who") + `}]}` + "\n",
		"lists/open.json":   `{` + named("列", "Open") + `, "schemaCode": "tasks", "queryColumns": ["of"], "condition": "of != 'papers'"}` + "\n",
		"access/clerk.json": `{` + named("员", "Clerk") + `, "models": [{"schemaCode": "papers", "actions": ["view"], "rows": "all"}]}` + "\n",
		"data/tasks.csv":    "of,who\npapers,clerk\n",
	})
	uses, problems, _ := r.Uses(names.Model, "papers")
	require.Empty(t, problems)
	var files []string
	for _, u := range uses {
		files = append(files, u.File)
	}
	require.Subset(t, files, []string{"small/data/tasks.csv", "small/lists/open.json", "small/models/tasks.json"})
	r.does(t, rename.Request{Kind: names.Model, Old: "papers", New: "sheets"}, rename.Request{Kind: names.Role, Old: "clerk", New: "agent"})
	after := r.documents(t)
	require.Equal(t, "of,who\nsheets,agent\n", after["data/tasks.csv"])
	require.Contains(t, after["models/tasks.json"], `"defaultValue": "'sheets'"`)
	require.Contains(t, after["lists/open.json"], `"of != 'sheets'"`)
}

// What holds codes of parts names these: a rename changes the part of the value that is the name, and who holds it is told before it goes.
func TestRenameHeldParts(t *testing.T) {
	named := func(zh, en string) string {
		return fmt.Sprintf(`"name": %q, "name_i18n": {"en": %q}`, zh, en)
	}
	r := small(map[string]string{
		"models/papers.json": `{` + named("纸", "Paper") + `, "name_plural_i18n": {"en": "Papers"}, "properties": [
    {"code": "no", "propertyType": "ShortText", ` + named("号", "No") + `},
    {"code": "state", "propertyType": "Radio", ` + named("态", "State") + `, "options": [{"code": "OPEN", ` + named("开", "Open") + `}]}]}` + "\n",
		"models/tasks.json": `{` + named("事", "Task") + `, "name_plural_i18n": {"en": "Tasks"}, "properties": [
    {"code": "field", "propertyType": "Dropdown", "holds": "property", "of": "papers", ` + named("项", "Field") + `},
    {"code": "state", "propertyType": "Dropdown", "holds": "option", "of": "papers.state", ` + named("态", "State") + `, "defaultValue": "'OPEN'"},
    {"code": "of", "propertyType": "Dropdown", "holds": "model", ` + named("对象", "Of") + `},
    {"code": "path", "propertyType": "Dropdown", "holds": "property", "dependsOn": "of", ` + named("项", "Path") + `},
    {"code": "choice", "propertyType": "Dropdown", "holds": "option", "dependsOn": "path", ` + named("选项", "Choice") + `}]}` + "\n",
		"lists/open.json": `{` + named("列", "Open") + `, "schemaCode": "tasks", "queryColumns": ["of"], "condition": "path != 'papers.state' and field == 'state'"}` + "\n",
		"data/tasks.csv":  "field,of,path,choice,state\nno,papers,papers.no,,OPEN\nstate,papers,papers.state,papers.state:OPEN,\n",
	})
	r.does(t, rename.Request{Kind: names.Option, Old: "papers.state:OPEN", New: "NEW"}, rename.Request{Kind: names.Property, Old: "papers.state", New: "phase"},
		rename.Request{Kind: names.Property, Old: "papers.no", New: "number"}, rename.Request{Kind: names.Model, Old: "papers", New: "sheets"})
	after := r.documents(t)
	require.Equal(t, "field,of,path,choice,state\nnumber,sheets,sheets.number,,NEW\nphase,sheets,sheets.phase,sheets.phase:NEW,\n", after["data/tasks.csv"])
	require.Contains(t, after["models/tasks.json"], `"of": "sheets"`)
	require.Contains(t, after["models/tasks.json"], `"of": "sheets.phase"`)
	require.Contains(t, after["models/tasks.json"], `"defaultValue": "'NEW'"`)
	require.Contains(t, after["lists/open.json"], `"path != 'sheets.phase' and field == 'phase'"`)
}
