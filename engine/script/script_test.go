package script_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sluice-platform/sluice/engine/diag"
	"github.com/sluice-platform/sluice/engine/script"
)

func said(list diag.List) (out []string) {
	for _, d := range list {
		out = append(out, d.Position.String()+" "+d.Code+" "+d.En)
	}
	return out
}

const begin = "ListEventHooksHandler Error: "

// TestCheck: what is said about scripts, word for word where the specification gives the words.
func TestCheck(t *testing.T) {
	options := "options: {version: '1.1'}"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"good, 1.0": {"export default {options: {version: \"1.0\"}, hooks: {onLoad() {}}}", nil},
		"good, 1.1": {"const limit = 3\nfunction mark(row) { return row.n > limit }\nexport default {\n  " + options + ",\n  hooks: {async onLoad(e, page) { await page.refresh?.() }, onRendered: () => {}, onPreAction: mark},\n" +
			"  apis: {getQueryList: {request: async (page, http) => http.get('/api/x'), mode: 'replace'}}\n}\n", nil},
		"by name":             {"const hooks = {onLoad: function () {}}\nconst me = {" + options + ", hooks, apis: {getQueryList() {}}}\nexport default me", nil},
		"known when it runs":  {"const all = make()\nfunction make() { return {} }\nexport default {...all, options: all.options, hooks: {...all.hooks, [1 + 1]: 2, onLoad: all.x}}", nil},
		"a variable changes":  {"let mark = 1\nmark = () => 2\nexport default {" + options + ", hooks: {onLoad: mark}}", nil},
		"empty":               {" \n", []string{"x.js:1:1 SCRIPT004 " + begin + "script string invalid: the script is empty or not valid JavaScript: "}},
		"syntax":              {"export default {\n  hooks: {onLoad( {}}\n", []string{"x.js:2:21 SCRIPT004 " + begin + "script string invalid: the script is empty or not valid JavaScript: Unexpected token }"}},
		"position in 中文":      {"const 名 = '中文'; import('x')\nexport default {" + options + ", hooks: {}}", []string{"x.js:1:17 SCRIPT014 a script can't use import()"}},
		"nothing":             {"const a = 1", []string{"x.js:1:1 SCRIPT005 " + begin + "script string invalid: there is no export default {options, hooks}"}},
		"a text":              {"export default 'x'", []string{"x.js:1:1 SCRIPT005 " + begin + "script string invalid: there is no export default {options, hooks}"}},
		"a class":             {"export default class {}", []string{"x.js:1:1 SCRIPT005 " + begin + "script string invalid: there is no export default {options, hooks}"}},
		"first version":       {"export default function (page) { page.on('x') }", []string{"x.js:1:1 SCRIPT006 " + begin + "script string invalid: this is the function style of the first version, which is no longer supported"}},
		"first, arrow":        {"\nexport default () => {}", []string{"x.js:2:1 SCRIPT006 " + begin + "script string invalid: this is the function style of the first version, which is no longer supported"}},
		"first, bare":         {"function onLoad() {}", []string{"x.js:1:1 SCRIPT006 " + begin + "script string invalid: this is the function style of the first version, which is no longer supported"}},
		"first, hooks":        {"export default {" + options + ", hooks() {}}", []string{"x.js:1:44 SCRIPT006 " + begin + "script string invalid: this is the function style of the first version, which is no longer supported"}},
		"no version":          {"export default {options: {}, hooks: {}}", []string{"x.js:1:17 SCRIPT007 " + begin + "version not found: options.version must be '1.0' or '1.1'"}},
		"no options":          {"export default {hooks: {}}", []string{"x.js:1:16 SCRIPT007 " + begin + "version not found: options.version must be '1.0' or '1.1'"}},
		"version as a number": {"export default {options: {version: 1.1}, hooks: {}}", []string{"x.js:1:27 SCRIPT007 " + begin + "version not found: options.version must be '1.0' or '1.1'"}},
		"version 2":           {"export default {options: {version: '2.0'}, hooks: {}}", []string{"x.js:1:27 SCRIPT007 " + begin + "version not found: options.version must be '1.0' or '1.1'"}},
		"no hooks":            {"export default {" + options + "}", []string{"x.js:1:16 SCRIPT008 " + begin + "hook not found: there are no hooks"}},
		"unknown hook":        {"export default {" + options + ", hooks: {onLaod() {}}}", []string{"x.js:1:52 SCRIPT009 " + begin + "hook not found: unknown hook \"onLaod\" (did you mean \"onLoad\"?)"}},
		"a form's hook":       {"export default {" + options + ", hooks: {onCustomAction() {}}}", []string{"x.js:1:52 SCRIPT009 " + begin + "hook not found: unknown hook \"onCustomAction\""}},
		"hook is a text":      {"export default {" + options + ", hooks: {onLoad: 'x'}}", []string{"x.js:1:52 SCRIPT016 " + begin + "hook not found: \"onLoad\" is not a function"}},
		"api without request": {"export default {" + options + ", hooks: {}, apis: {getQueryList: {mode: 'combine'}}}", []string{"x.js:1:62 SCRIPT010 " + begin + "api.request should be a function: an API must be a function, or an object with a request function"}},
		"request is a text":   {"export default {" + options + ", hooks: {}, apis: {getQueryList: {request: 'x'}}}", []string{"x.js:1:77 SCRIPT010 " + begin + "api.request should be a function: an API must be a function, or an object with a request function"}},
		"unknown mode":        {"export default {" + options + ", hooks: {}, apis: {getQueryList: {request() {}, mode: 'merge'}}}", []string{"x.js:1:91 SCRIPT011 " + begin + "mode is not allowed: mode must be 'combine' or 'replace'"}},
		"apis in 1.0":         {"export default {options: {version: '1.0'}, hooks: {}, apis: {getQueryList() {}}}", []string{"x.js:1:55 SCRIPT012 apis need version 1.1"}},
		"unknown api":         {"export default {" + options + ", hooks: {}, apis: {getQueryLists() {}}}", []string{"x.js:1:62 SCRIPT013 unknown API \"getQueryLists\" (did you mean \"getQueryList\"?)"}},
		"imports": {"import a from './a.js'\nexport const b = () => import('b')\nexport default {" + options + ", hooks: {onLoad: async () => (await import('/api/x')).c}}",
			[]string{"x.js:1:1 SCRIPT014 a script can't use import", "x.js:2:24 SCRIPT014 a script can't use import()", "x.js:3:79 SCRIPT014 a script can't use import()", "x.js:2:1 SCRIPT014 a script can't use export"}},
		"reexport":       {"export * from './a.js'\nexport default {" + options + ", hooks: {}}", []string{"x.js:1:1 SCRIPT014 a script can't use export"}},
		"import in text": {"const s = `${1}import('x')`, r = /import\\('x'\\)/ // import('x')\nexport default {" + options + ", hooks: {}}", nil},
		"unknown key":    {"export default {" + options + ", hooks: {}, hook: {}}", []string{"x.js:1:55 SCRIPT015 unknown key \"hook\" (did you mean \"hooks\"?)"}},
		"no source maps": {"export default {" + options + ", hooks: {}}\n//# sourceMappingURL=/etc/passwd", nil},
		"deep":           {strings.Repeat("(", 100_000), []string{"x.js:1:201 SCRIPT004 " + begin + "script string invalid: the script is empty or not valid JavaScript: nested too deep"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, said(script.Check("x.js", c.text, script.List))); diff != "" {
				t.Error(diff)
			}
		})
	}
	for hook, want := range map[string]int{"onValidate": 0, "onCustomAction": 0, "onPreLoad": 1} {
		text := "export default {" + options + ", hooks: {" + hook + "() {}}}"
		if got := script.Check("x.js", text, script.Form); len(got) != want {
			t.Errorf("%s of a form: %v", hook, got)
		}
	}
}

// TestStyle: a rule reaches only what is inside the scope, whatever its author writes.
func TestStyle(t *testing.T) {
	for name, c := range map[string]struct {
		text, css string
		want      []string
	}{
		"rules":       {"/* c */ .a, b > c:is(.d, [e=\"},{\"]) { color: red; top: calc((1px + 2px) * 3) }", "S .a, S b > c:is(.d, [e=\"},{\"]) { color: red; top: calc((1px + 2px) * 3) }\n", nil},
		"the shell":   {"body { display: none } :root, * { --x: 1 } html > body header { color: red }", "S body { display: none }\nS :root, S * { --x: 1 }\nS html > body header { color: red }\n", nil},
		"conditions":  {"@media (width < 700px) { @supports (display: grid) { .a { color: red } } }", "@media (width < 700px) {\n@supports (display: grid) {\nS .a { color: red }\n}\n}\n", nil},
		"a picture":   {".a { background: url(data:image/png;base64,AA) } .b { background: url(\"data:image/png;base64,AA\") }", "S .a { background: url(data:image/png;base64,AA) }\nS .b { background: url(\"data:image/png;base64,AA\") }\n", nil},
		"text escape": {".a::before { content: \"\\2713 }\" }", "S .a::before { content: \"\\2713 }\" }\n", nil},
		"empty":       {"", "", nil},
		"close early": {".a { color: red } } body { display: none }", "", []string{"x.css:1:19 STYLE001 not valid CSS: }"}},
		"never close": {".a { color: red", "", []string{"x.css:1:16 STYLE001 not valid CSS: }"}},
		"open media":  {"@media print { .a { color: red }", "", []string{"x.css:1:33 STYLE001 not valid CSS: }"}},
		"comment":     {".a { color: red } /* x", "", []string{"x.css:1:19 STYLE001 not valid CSS: /*"}},
		"bad text":    {".a { content: \"x\n } body { display: none } \"", "", []string{"x.css:1:15 STYLE001 not valid CSS: \"x\n"}},
		"open text":   {".a { content: \"x }", "", []string{"x.css:1:15 STYLE001 not valid CSS: \"x }"}},
		"brackets":    {".a { x: (} body { color: red } ) }", "", []string{"x.css:1:10 STYLE001 not valid CSS: }"}},
		"import":      {"@import url(//evil);", "", []string{"x.css:1:1 STYLE002 a style can't use @import"}},
		"keyframes":   {"@keyframes fade { from { opacity: 0 } }", "", []string{"x.css:1:1 STYLE002 a style can't use @keyframes"}},
		"fonts":       {"@FONT-FACE { font-family: x }", "", []string{"x.css:1:1 STYLE002 a style can't use @FONT-FACE"}},
		"apply":       {".a { @media print { color: red } }", "", []string{"x.css:1:6 STYLE002 a style can't use @media"}},
		"address":     {".a { background: url(https://evil/x.png) }", "", []string{"x.css:1:18 STYLE003 a style can't load from an address: url(https://evil/x.png)"}},
		"quoted":      {".a { background: URL( '/x.png' ) }", "", []string{"x.css:1:18 STYLE003 a style can't load from an address: URL( '/x.png' )"}},
		"in a custom": {".a { --x: image-set('/x.png' 1x) }", "", []string{"x.css:1:11 STYLE003 a style can't load from an address: image-set("}},
		"script":      {".a { background: url(data:text/html,x) }", "", []string{"x.css:1:18 STYLE003 a style can't load from an address: url(data:text/html,x)"}},
		"escaped":     {".a { background: \\75rl(/x) }", "", []string{"x.css:1:18 STYLE001 not valid CSS: \\"}},
		"fixed":       {".a { Position : FIXED }", "", []string{"x.css:1:17 STYLE004 position: fixed is not allowed: it leaves the list"}},
		"sibling":     {".a, ~ nav { color: red }", "", []string{"x.css:1:5 STYLE005 selector \"~\" is not allowed: a style applies only inside the list, without nesting"}},
		"sibling 2":   {" /**/ + nav { color: red }", "", []string{"x.css:1:7 STYLE005 selector \"+\" is not allowed: a style applies only inside the list, without nesting"}},
		"parent":      {".a { body:has(&) { color: red } }", "", []string{"x.css:1:18 STYLE005 selector \"{\" is not allowed: a style applies only inside the list, without nesting"}},
		"ampersand":   {"body:has(&) { color: red }", "", []string{"x.css:1:10 STYLE005 selector \"&\" is not allowed: a style applies only inside the list, without nesting"}},
		"no selector": {".a, { color: red }", "", []string{"x.css:1:5 STYLE005 selector \"\" is not allowed: a style applies only inside the list, without nesting"}},
		"control":     {".a { color: r\fed }", "", []string{"x.css:1:14 STYLE001 not valid CSS: control character"}},
		"html":        {"<!-- .a { color: red }", "", []string{"x.css:1:1 STYLE001 not valid CSS: <!--"}},
	} {
		t.Run(name, func(t *testing.T) {
			css, got := script.Style("x.css", c.text, "S")
			if diff := cmp.Diff(c.want, said(got)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.css, css); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzStyle(f *testing.F) {
	for _, s := range []string{".a{}", "@media x{.a{b:c}}", "a,b{c:url(data:image/x)}", "a[b='}']{}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		css, found := script.Style("x.css", text, "S")
		if len(found) > 0 {
			return
		}
		again, found := script.Style("x.css", css, "S")
		if len(found) > 0 {
			t.Errorf("%q became %q: %v", text, css, found)
		}
		if strings.Count(again, "S S ") < strings.Count(css, "\nS ") {
			t.Errorf("a selector is lost: %q, %q", css, again)
		}
	})
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{"export default {}", "export default {options: {version: '1.0'}, hooks: {onLoad() {}}}", "import('x')", "a => `${b}`"} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, text string) { script.Check("x.js", text, script.List) })
}
