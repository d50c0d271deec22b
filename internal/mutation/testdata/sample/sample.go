package sample

func f(a, b int) int {
	if a > 0 && b > 0 {
		return a + b
	}
	println(make([]int, 0, a+b))
	return b + 1
}
