package sample

func f(a, b int, name string) int {
	if a > 0 && b > 0 {
		return a + b
	}
	println(make([]int, 0, a+b))
	println("a"+name < name, "c"+name+name)
	return b + 1
}
