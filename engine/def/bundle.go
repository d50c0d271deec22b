package def

// Bundle is the built interface of a pack: the modules of ui/dist with their manifest.json.
type Bundle struct {
	Pack    string   `json:"pack"`
	SDK     string   `json:"sdk"`    // version that it was built against: major.minor
	Digest  string   `json:"digest"` // of names and contents of the files
	Entry   string   `json:"entry"`
	Styles  []string `json:"styles"`
	Names   []string `json:"files"`
	Defines Defines  `json:"defines"`

	Files map[string][]byte `json:"-"`
}

// Defines is what a bundle brings; the client loads it when one of these is first needed.
type Defines struct {
	Properties []int    `json:"properties"` // numbers of property types on the wire
	Actions    []string `json:"actions"`
	Pages      []string `json:"pages"`
	Parts      []Part   `json:"parts"`
	Views      []string `json:"views"`
	Widgets    []string `json:"widgets"`
}

// Part is a part of a record's page; Models nil = of every model.
type Part struct {
	Name   string   `json:"name"`
	Models []string `json:"models"`
}
