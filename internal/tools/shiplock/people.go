package main

// The departments of the three parties: the employer, the supervisor and two contractors.
const (
	employer    = "船闸建设指挥部"
	engineering = "工程管理部"
	quality     = "质量安全部"
	commerce    = "合同计划部"
	office      = "综合办公室"
	supervisor  = "江淮工程监理部"
	civil       = "土建施工项目部"
	firstTeam   = "土建一工区"
	secondTeam  = "土建二工区"
	steel       = "金属结构与机电项目部"
)

func departments() []row {
	var out []row
	for i, d := range []struct{ name, parent string }{
		{employer, ""}, {engineering, employer}, {quality, employer}, {commerce, employer}, {office, employer},
		{supervisor, ""}, {civil, ""}, {firstTeam, civil}, {secondTeam, civil}, {steel, ""},
	} {
		out = append(out, row{{"name", d.name}, {"parent", d.parent}, {"sortNo", i + 1}})
	}
	return out
}

type person struct{ username, name, department, position, role string }

var people = []person{
	{"zhouzhiyuan", "周志远", employer, "指挥长", "viewer"},
	{"linguodong", "林国栋", engineering, "工程管理部部长", "projectManager"},
	{"chenjianping", "陈建平", engineering, "水工工程师", "projectManager"},
	{"hexiaolan", "何晓岚", engineering, "机电工程师", "viewer"},
	{"xumingzhe", "徐明哲", quality, "质量安全部部长", "projectManager"},
	{"songyuqing", "宋雨晴", quality, "质量工程师", "inspectorRole"},
	{"majun", "马骏", quality, "安全工程师", "viewer"},
	{"dengxiuying", "邓秀英", commerce, "合同计划部部长", "contractManager"},
	{"fanwenbo", "范文博", commerce, "计量工程师", "contractManager"},
	{"qinlu", "秦璐", office, "文员", "viewer"},
	{"zhaohanlin", "赵翰林", supervisor, "总监理工程师", "projectManager"},
	{"qianweiguo", "钱卫国", supervisor, "水工监理工程师", "inspectorRole"},
	{"sunlijuan", "孙丽娟", supervisor, "试验监理工程师", "inspectorRole"},
	{"wuchangqing", "吴长青", supervisor, "机电监理工程师", "inspectorRole"},
	{"liangdahai", "梁大海", civil, "项目经理", "viewer"},
	{"penghui", "彭辉", firstTeam, "质检员", "inspectorRole"},
	{"caoyong", "曹勇", firstTeam, "工区长", "viewer"},
	{"jiangxiaofeng", "蒋晓峰", secondTeam, "质检员", "inspectorRole"},
	{"tianye", "田野", secondTeam, "工区长", "viewer"},
	{"duanruiming", "段瑞明", steel, "质检员", "inspectorRole"},
	{"yuhaiyang", "于海洋", steel, "项目经理", "viewer"},
}

func users() []row {
	var out []row
	for i, p := range people {
		departments := []string{p.department}
		if p.department == firstTeam || p.department == secondTeam {
			departments = append(departments, civil)
		}
		out = append(out, row{{"username", p.username}, {"name", p.name}, {"employeeNo", number("SL", 1001+i)}, {"position", p.position},
			{"email", p.username + "@example.com"}, {"mainDepartment", p.department}, {"departments", departments}, {"roles", []string{p.role}}})
	}
	return out
}

// inspectors are the people who check the works of a department, and those who attend.
func inspectors(department string) (checks, attends []string) {
	switch department {
	case firstTeam:
		return []string{"penghui"}, []string{"qianweiguo", "sunlijuan", "songyuqing", "caoyong"}
	case secondTeam:
		return []string{"jiangxiaofeng"}, []string{"qianweiguo", "sunlijuan", "songyuqing", "tianye"}
	}
	return []string{"duanruiming"}, []string{"wuchangqing", "hexiaolan", "songyuqing"}
}
