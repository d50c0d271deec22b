package compile

import "github.com/sluice-platform/sluice/engine/action"

// word is a registered word of buttons and rights; the zero Word for any other text.
func (c *compiler) word(code string) action.Word {
	w, _ := c.set.Words.Get(code)
	return w
}

// words are the codes of the registered words that fit.
func (c *compiler) words(fits func(action.Word) bool) []string {
	return action.Words(&c.set.Words, fits)
}

// compileWords puts the words into the catalog, which the rights and the lists read.
func (c *compiler) compileWords() {
	c.cat.Words = map[string]action.Word{}
	for _, code := range c.set.Words.Names() {
		c.cat.Words[code] = c.word(code)
	}
}
