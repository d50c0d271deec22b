package query_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/sluice-platform/sluice/engine/catalog"
	"github.com/sluice-platform/sluice/engine/principal"
	"github.com/sluice-platform/sluice/runtime/authz"
	"github.com/sluice-platform/sluice/runtime/directory"
	"github.com/sluice-platform/sluice/runtime/finder"
	"github.com/sluice-platform/sluice/runtime/query"
	"github.com/sluice-platform/sluice/runtime/store"
	"github.com/sluice-platform/sluice/runtime/store/storetest"
)

// BenchmarkSearch finds records among those of several large models on both databases: SLUICE_SEARCH_RECORDS says how many there are in all.
// It prints what half, nineteen of twenty and all searches of each kind of text take.
//
//	SLUICE_SEARCH_RECORDS=1000000 .ci/with-postgres go test -run '^$' -bench Search -benchtime 1x -timeout 60m ./runtime/query
func BenchmarkSearch(b *testing.B) {
	total, err := strconv.Atoi(os.Getenv("SLUICE_SEARCH_RECORDS"))
	if err != nil {
		b.Skip("SLUICE_SEARCH_RECORDS says how many records to search")
	}
	storetest.Databases(b, func(b *testing.B, o store.Options) {
		c := catalogOf(b, "testdata/search.txtar")
		db, err := store.Open(b.Context(), options(o))
		must(b, err)
		b.Cleanup(func() { must(b, db.Close()) })
		must(b, applied(b.Context(), db, c))
		policy, err := authz.Compile(c)
		must(b, err)
		people, err := directory.New(b.Context(), db, c)
		must(b, err)
		r := query.New(db, people, directory.NewPlaces(db), zone, func() time.Time { return now }, []byte("a key"))
		names := fillSearched(b, db, c.Model, total)
		view := policy.View(principal.Principal{UserID: id("clerk"), Roles: []string{"all"}, Locale: "zh"}, now, zone)
		for b.Loop() {
			measureSearch(b, r, view, names)
		}
	})
}

// searchedShare is the part of all records that each model has, of ten.
var searchedShare = map[string]int{"lot": 4, "letter": 3, "drawing": 2, "contract": 1}

var searchedWords = [][]string{
	{"上游", "下游", "左岸", "右岸", "一线", "二线", "三线", "临时", "永久", "新建", "改建", "第一", "第二", "中部", "外侧", "内侧"},
	{"闸室", "闸首", "引航道", "靠船墩", "导航墙", "输水廊道", "围堰", "护坡", "护底", "基坑", "桥梁", "启闭机房", "人字门", "阀门井", "电缆沟", "银行", "翟家坝", "单侧墙"},
	{"灌注桩", "混凝土", "钢筋", "模板", "止水", "回填", "开挖", "帷幕灌浆", "锚杆", "喷护", "砌石", "排水孔", "观测", "金属结构", "预埋件", "防腐"},
	{"浇筑", "安装", "检验", "验收", "施工", "复检", "整改", "评定", "报审", "签证", "联系", "通知"},
	{"单", "记录", "报告", "函", "方案", "申请", "纪要", "计划"},
}

// fillSearched makes the records and returns some of their names and numbers.
func fillSearched(b *testing.B, db *store.DB, model func(string) *catalog.Model, total int) (names []string) {
	b.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	made := 0
	for code, share := range searchedShare {
		m := model(code)
		must(b, db.PutOffIndexes(b.Context(), m))
		columns := []string{"id", "name", "name__pinyin", "sequenceNo", "sequenceStatus", "createdTime", "modifiedTime", "version", "owner", "title"}
		if code == "contract" {
			columns = append(columns, "code")
		}
		for n := total * share / 10; n > 0; n -= 5000 {
			rows := make([][]any, 0, 5000)
			for range min(n, 5000) {
				made++
				var name strings.Builder
				for _, of := range searchedWords {
					name.WriteString(of[random.IntN(len(of))])
				}
				fmt.Fprintf(&name, "%d", random.IntN(total/20))
				var key uuid.UUID
				binary.BigEndian.PutUint64(key[:], uint64(made))
				number := fmt.Sprintf("%s-%07d", strings.ToUpper(code[:2]), made)
				row := []any{key.String(), name.String(), finder.Index(name.String()), number, "COMPLETED", now, now, int64(1), id("clerk"), name.String()}
				if code == "contract" {
					row = append(row, "HT"+number)
				}
				if rows = append(rows, row); made%(total/60) == 0 {
					names = append(names, name.String(), number)
				}
			}
			must(b, db.Write(b.Context(), func(ctx context.Context, tx *store.Tx) error { return tx.InsertRows(ctx, m, columns, rows) }))
		}
	}
	must(b, db.EnsureIndexes(b.Context()))
	return names
}

// measureSearch types each kind of text and prints how long the answers take.
func measureSearch(b *testing.B, r *query.Reader, view *authz.View, names []string) {
	b.Helper()
	kinds := map[string][]string{"common": {"闸室", "混凝土", "lot", "jianyan", "hnt", "2", "LO-0", "检验报告", "单", "钢筋混凝土", "上游闸室"},
		"none": {"zzzzqq", "不存在的名称", "LO-9999999", "闸室闸室", "xyz 123", "室灌", "银室", "yin shi"}}
	for i, name := range names {
		runes := []rune(name)
		switch {
		case i%2 == 1:
			kinds["number"] = append(kinds["number"], name, name[3:])
		case i%4 == 0:
			kinds["exact"] = append(kinds["exact"], name)
			kinds["part"] = append(kinds["part"], string(runes[2:8]), string(runes[len(runes)-5:]), string(runes[:3])+" "+string(runes[len(runes)-4:]))
		default:
			kinds["begin"] = append(kinds["begin"], string(runes[:1]), string(runes[:3]), string(runes[:6]))
			kinds["sound"] = append(kinds["sound"], soundOf(name, 4), soundOf(name, 9), soundOf(name, 30))
		}
	}
	var all, allWorked []time.Duration
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		var took, worked []time.Duration
		left, slowest := 0, ""
		for _, text := range kinds[kind] {
			at, before := time.Now(), cpu(b)
			found, err := r.Search(b.Context(), view, query.SearchRequest{Keyword: text, Size: 5})
			must(b, err)
			took, worked = append(took, time.Since(at)), append(worked, cpu(b)-before)
			if left += len(found.Left); took[len(took)-1] == slices.Max(took) {
				slowest = text
			}
		}
		all, allWorked = append(all, took...), append(allWorked, worked...)
		tellTimes(b, kind, took, worked, left, slowest)
	}
	tellTimes(b, "all", all, allWorked, 0, "")
}

// tellTimes prints what searches take by the clock, and of the processor: on a machine with other work the second says more. That of a
// database beside the process is not in it.
func tellTimes(b *testing.B, kind string, took, worked []time.Duration, left int, slowest string) {
	slices.Sort(took)
	slices.Sort(worked)
	p95 := len(took) * 95 / 100
	b.Logf("%-8s %4d texts  p50 %6.1f  p95 %6.1f  max %6.1f ms  cpu p50 %6.1f  p95 %6.1f ms  left %d  %s", kind, len(took), ms(took[len(took)/2]), ms(took[p95]), ms(took[len(took)-1]),
		ms(worked[len(took)/2]), ms(worked[p95]), left, slowest)
	b.ReportMetric(ms(took[p95]), kind+"-p95-ms")
}

// cpu is the time that the process has used of the processor.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// soundOf is the beginning of how a name sounds.
func soundOf(name string, length int) string {
	index := finder.Index(name)
	_, sounds, _ := strings.Cut(index, " ")
	letters := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		return -1
	}, strings.Fields(sounds)[0])
	return letters[:min(length, len(letters))]
}
