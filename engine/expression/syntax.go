package expression

// Syntax reports whether a text can be read as an expression at all; what its names mean is left open.
func Syntax(text string) bool {
	if len(text) > MaxText {
		return false
	}
	_, problem := newSource(text).parse()
	return problem == nil
}
