// Package tiny has a line that its test sees, one that it does not see, and one that it does not run.
package tiny

func larger(a, b int) bool { return a > b }

func both(a, b bool) bool { return a && b }

func unknown(a bool) bool { return a || true }
