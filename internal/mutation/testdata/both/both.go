package both

func larger(a, b int) bool { return a > b }
