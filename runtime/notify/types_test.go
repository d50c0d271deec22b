package notify

import (
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// specified are the numbers of the specification.
var specified = []Type{1, 2, 3, 4, 11, 12, 13, 14, 16, 17, 21, 23, 31, 32, 41, 42, 51, 52, 61, 62, 101, 102, 103, 104, 105, 106, 107, 108, 201}

// TestEveryTypeIsDefined: each type has its texts in both languages, with the same places in both, a group and what it opens.
func TestEveryTypeIsDefined(t *testing.T) {
	var numbers []Type
	for _, d := range Types() {
		numbers = append(numbers, d.Type)
		require.Contains(t, Groups(), d.Group, d.Type)
		require.Contains(t, []TargetKind{ToRecord, ToWorkItem, ToModel, ToDelegations, ToNothing}, d.Target, d.Type)
	}
	require.Equal(t, specified, numbers)
	place, han := regexp.MustCompile(`\{\w+\}`), regexp.MustCompile(`\p{Han}`)
	known := valuesOf("zh", "", "", true, Biz{})
	for number, d := range definitions {
		for _, w := range append([]wording{d.name, d.title, d.plain}, d.lines...) {
			require.NotEmpty(t, w.zh, number)
			require.NotEmpty(t, w.en, number)
			require.NotRegexp(t, han, w.en, number)
			zh, en := place.FindAllString(w.zh, -1), place.FindAllString(w.en, -1)
			slices.Sort(zh)
			slices.Sort(en)
			require.Equal(t, zh, en, "places of type %d", number)
			for _, name := range zh {
				require.Contains(t, known, name[1:len(name)-1], number)
			}
		}
		require.Subset(t, []string{"{sender}"}, place.FindAllString(d.plain.zh, -1), "a plain title of type %d needs nothing that may be missing", number)
	}
}

// TestWords: what texts list, and what they do without values.
func TestWords(t *testing.T) {
	people := []string{"Ann", "Bob", "Cid", "Dan"}
	for _, c := range []struct {
		of     Type
		locale string
		biz    Biz
		want   string
	}{
		{PeopleGone, "zh", Biz{UserNameList: people}, "离职人员待交接：Ann、Bob 等 4 人"},
		{PeopleGone, "en", Biz{UserNameList: people}, "Departed, work to hand over: Ann, Bob and 2 others"},
		{PeopleGone, "en", Biz{UserNameList: people[:3]}, "Departed, work to hand over: Ann, Bob and 1 other"},
		{PeopleGone, "zh", Biz{UserNameList: people[:2]}, "离职人员待交接：Ann、Bob"},
		{RolesWaiting, "zh", Biz{Roles: []string{"a", "b", "c", "d", "e", "f"}}, "角色待交接：a、b、c、d、e 等 6 个"},
		{RolesWaiting, "en", Biz{Roles: []string{"a", "b", "c", "d", "e"}}, "Roles to hand over: a, b, c, d, e"},
		{RolesWaiting, "zh", Biz{}, "角色待交接"},
		{101, "zh", Biz{}, "有任务待您处理"},
		{105, "en", Biz{InstanceName: "{sender}"}, "Deleted: {sender}"}, // a value is no template
	} {
		require.Equal(t, c.want, c.of.title(c.locale, valuesOf(c.locale, "", "", true, c.biz)))
	}
	biz := Biz{UserNameList: people[:1], Records: 3, Departments: []string{"QA"}}
	require.Equal(t, "操作人：Eve；数据：3 条；负责的部门：QA", WorkHandover.content("zh", valuesOf("zh", "Eve", "", true, biz)))
	require.Equal(t, "Done by Eve; Records: 3; Departments to lead: QA", WorkHandover.content("en", valuesOf("en", "Eve", "", true, biz)))
	flow := Biz{OriginatorName: "Ann", InstanceName: "Leave"}
	require.Equal(t, "Leave, started by Ann", Type(101).content("en", valuesOf("en", "", "", true, flow)))
	require.Empty(t, Type(101).content("en", valuesOf("en", "", "", false, flow)), "what the reader may not see is not told")
}
