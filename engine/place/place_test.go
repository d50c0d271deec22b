package place_test

import (
	"encoding/csv"
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sluice-platform/sluice/engine/place"
)

// country reads the divisions of the core pack.
func country(t testing.TB) *place.Tree {
	f, err := os.Open("../../plugins/core/data/division.csv")
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	var list []place.Division
	for _, r := range rows[1:] {
		list = append(list, place.Division{Code: r[0], Name: r[1], NameEn: r[2]})
	}
	require.Greater(t, len(list), 3000)
	return place.New(list)
}

var verdicts = map[string]place.Verdict{"none": place.None, "several": place.Several, "unclear": place.Unclear, "missing": place.Missing}

func TestReadsWhatPeopleWrite(t *testing.T) {
	tree := country(t)
	codes := map[string]string{}
	for d := range tree.All {
		if path := said(tree, d.Code); !place.Unsaid(d.Name) && codes[path] == "" {
			codes[path] = d.Code
		}
	}
	text, err := os.ReadFile("testdata/addresses.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(strings.TrimSuffix(line, "\n")+" ", "|")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		address := parts[0]
		if strings.HasPrefix(address, `"`) {
			require.NoError(t, json.Unmarshal([]byte(parts[0]), &address))
		}
		t.Run(parts[0], func(t *testing.T) {
			got := tree.Read(address)
			if want, no := verdicts[parts[1]]; no {
				require.Equal(t, want, got.Verdict, "%+v", got)
				require.NotEmpty(t, got.Word)
				require.Equal(t, want == place.Several, len(got.Names) > 1)
				return
			}
			code := parts[1]
			if of, named := codes[code]; named {
				code = of
			}
			require.Equal(t, place.Reading{Code: code, Rest: parts[2]}, got)
		})
	}
}

// said are the names of a division from the province down as people say them: "北京市/朝阳区".
func said(tree *place.Tree, code string) string {
	var names []string
	for n := 2; n <= len(code); n += 2 {
		if d, ok := tree.Get(code[:n]); ok && !place.Unsaid(d.Name) && (len(names) == 0 || names[len(names)-1] != d.Name) {
			names = append(names, d.Name)
		}
	}
	return strings.Join(names, "/")
}

// TestReadsWhatIsCopied: texts that the browser makes of addresses (copy.test.ts has the same file) are read as they were.
func TestReadsWhatIsCopied(t *testing.T) {
	tree := country(t)
	text, err := os.ReadFile("testdata/copied.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if parts := strings.Split(strings.TrimSuffix(line, "\n"), "|"); !strings.HasPrefix(line, "#") {
			want := place.Reading{Code: strings.TrimSpace(parts[0]), Rest: strings.TrimSpace(parts[1])}
			require.Equal(t, want, tree.Read(strings.TrimSpace(parts[2])), line)
		}
	}
}

// TestReadsWhatItWrites: every division with every kind of detail, in both languages, comes back as it went out.
func TestReadsWhatItWrites(t *testing.T) {
	tree := country(t)
	details := []string{"", "三江路1号", "12 Main Street", "西陵区路口", "朝阳区", "//", "/ x", "-3", "420502", "路1 号", "市", "北京市", "Chaoyang"}
	codes := []string{""}
	for d := range tree.All {
		codes = append(codes, d.Code)
	}
	for _, code := range codes {
		for _, locale := range []string{"zh", "en"} {
			for _, detail := range details {
				if code == "" && detail == "" {
					continue
				}
				text := tree.Write(code, detail, locale)
				require.Equal(t, place.Reading{Code: code, Rest: detail}, tree.Read(text), "%s %q: %q", code, detail, text)
			}
		}
	}
	require.Equal(t, "湖北省宜昌市西陵区 三江路1号", tree.Write("420502", "三江路1号", "zh"))
	require.Equal(t, "北京市朝阳区", tree.Write("110105", "", "zh"))
	require.Equal(t, "湖北省宜昌市//西陵区路口", tree.Write("4205", "西陵区路口", "zh"))
}

// TestReadsLevelsWithMarks: names that a person writes behind each other, with marks or without the kinds, name the same division where they name one.
func TestReadsLevelsWithMarks(t *testing.T) {
	tree := country(t)
	r := rand.New(rand.NewPCG(42, 3))
	for d := range tree.All {
		var whole, brief []string
		for n := 2; n <= len(d.Code); n += 2 {
			if up, ok := tree.Get(d.Code[:n]); ok && !place.Unsaid(up.Name) {
				whole, brief = append(whole, up.Name), append(brief, place.Short(up.Name))
			}
		}
		if place.Unsaid(d.Name) {
			continue
		}
		mark := []string{"", " ", "，", "/", "-", "　", ", "}[r.IntN(7)]
		require.Equal(t, d.Code, tree.Read(strings.Join(whole, mark)).Code, "%v %q", whole, mark)
		// Without the kinds it may be one of two ("吉林"), or be told to be unclear, and is never taken for the rest of an address.
		got := tree.Read(strings.Join(brief, " "))
		require.NotEqual(t, place.None, got.Verdict, "%v %+v", brief, got)
		if got.Verdict == place.Read {
			require.Empty(t, got.Rest, "%v %+v", brief, got)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	tree := country(b)
	texts := []string{"湖北省宜昌市西陵区三江路1号", "上海浦东新区世纪大道1号", "宜昌市西陵区三江路1号", "火星", "Hubei Yichang Xiling 12 Main Street"}
	for i := 0; b.Loop(); i++ {
		tree.Read(texts[i%len(texts)])
	}
}
