package both

func smaller(a, b int) bool { return a < b }
