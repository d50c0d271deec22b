package layout

// Document is what goes on paper: the contents of one or more template pages, each of which begins on a sheet of its own and goes on over
// as many as its contents need.
type Document struct {
	Setup  Setup
	Flows  []Flow
	NoRoom func(figure string) // is told of each figure whose box is too narrow for it in the smallest letters, and that ### is drawn for; nil = nobody is
}

// Setup is the paper.
type Setup struct {
	Width, Height            Length
	Top, Bottom, Left, Right Length // margins
	Header, Footer           *Band
	NextHeader, NextFooter   *Band    // of pages after the first, in place of Header and Footer; nil = those, unless they are on the first page alone
	Background               *Picture // behind every page; nil = none
	Whole                    bool     // all of the height can be used, as on labels
}

// Unprintable is how much of the height of a sheet is never used, however small its margins are.
const Unprintable = 12 * Millimeter

// Usable is the height between the margins of a page.
func (s Setup) Usable() Length {
	if s.Whole {
		return s.Height - s.Top - s.Bottom
	}
	return min(s.Height-s.Top-s.Bottom, s.Height-Unprintable)
}

// top is where the contents of a page begin.
func (s Setup) top() Length {
	if spare := s.Height - s.Bottom - s.Usable(); s.Top < spare {
		return spare
	}
	return s.Top
}

// Band is a header or footer.
type Band struct {
	Edge  Length // from the edge of the paper
	Align Align  // AlignBetween spreads the items over the width
	Items []Item
	Size  Length // of the font
	First bool   // a header or footer of the first page alone
}

// Item is a text of a band. The number of the page and of all pages replace the marks PageNumber and PageTotal in it, unless it is Fixed.
type Item struct {
	Text  string
	Fixed bool
}

// The marks in items of bands.
const (
	PageNumber = "{page}"
	PageTotal  = "{total}"
)

// Flow is the contents of one template page.
type Flow struct{ Elements []Element }

// Element is a part of a template page. Left and Top are distances from the margins.
type Element struct {
	Left, Top, Width, Height Length
	Content                  Content
}

// Content is what an element draws: Boxes, *Table, *Picture, *Line, *Rectangle or *Modules.
type Content interface{ content() }

// Boxes are texts side by side, of one height.
type Boxes []Box

// Box is a text in a frame. X is its distance from the left of its element.
type Box struct {
	X, Width Length
	Text     string
	Value    any // what the text says, for spreadsheets; nil = the text
	Style    Style
	Overflow Overflow
}

// Overflow says what happens to a text that is too long for the height of its box.
type Overflow uint8

// What happens to long texts.
const (
	Grow   Overflow = iota // the box grows, and what is below moves down
	Cut                    // what does not fit is left out, and an ellipsis says so
	Shrink                 // the letters get smaller, down to SmallestFont; then it is cut
)

// Align is where a text is in its box.
type Align uint8

// Where texts are.
const (
	AlignStart  Align = iota // left or top
	AlignCenter              // the middle
	AlignEnd                 // right or bottom
	AlignBetween
)

// Color is 0xRRGGBB.
type Color uint32

// Stroke is the line of a border. Width 0 = none.
type Stroke struct {
	Width Length
	Color Color
	Kind  StrokeKind
}

// StrokeKind is how a line is drawn.
type StrokeKind uint8

// How lines are drawn.
const (
	Solid StrokeKind = iota
	Dashed
	Dotted
)

// Style is the look of a text and its box.
type Style struct {
	Size                    Length // of the font; 0 = DefaultFont
	Color                   Color
	Bold, Italic, Underline bool
	Horizontal, Vertical    Align
	Border                  Stroke
	Fill                    *Color
	Padding                 Length // left and right of the text; above and below it half of it
}

// Sizes of fonts.
var (
	DefaultFont  = Points(10.5)
	SmallestFont = Points(4)
)

// centered is the style with its text in the middle.
func (s Style) centered() Style {
	s.Horizontal = AlignCenter
	return s
}

func (s Style) size() Length {
	if s.Size == 0 {
		return DefaultFont
	}
	return s.Size
}

// Table is a grid that goes on over pages.
type Table struct {
	Columns                []Column
	HeadHeight, BodyHeight Length // least heights of a row
	NoHead                 bool
	Every                  bool // the head is on every page
	Rows                   []Row
	Widow                  int    // rows of data that stay together at the begin and the end; 0 = 1
	PerPage                int    // rows on each page, the last one filled up with empty ones; 0 = as many as it has room for. The total and carried rows don't count
	Below                  Length // room under the last row on its page, for what belongs to the table
	Photo                  Length // the height of pictures, whose cells have their texts below them; 0 = pictures are small and stand for their texts
	// Carried returns the texts of a row, by column, with the figures of the first n rows of data. Where it is there, each page that the
	// table goes on after ends with such a row, labeled Forward, and the next begins with it, labeled Brought.
	Carried          func(n int) []string
	Forward, Brought string
}

func (*Table) content() {}

// Column is a column of a table.
type Column struct {
	Width       Length
	Head        string
	Group       string // a head above those of neighbors with the same one; "" = the head is as high as both
	HeadStyle   Style
	Style       Style
	CarryFigure bool // Carried has a figure for it: the label ends before it
}

// RowKind says what a row of a table is.
type RowKind uint8

// The kinds of rows.
const (
	DataRow  RowKind = iota
	GroupRow         // the head of a group: it stays with the row after it
	SumRow           // figures of what is above: it stays with the row before it
)

// Row is a row of a table, with a text a column. A row whose Span is more than 1 draws its first text over that many columns.
type Row struct {
	Kind     RowKind
	Texts    []string
	Values   []any      // what the texts say, for spreadsheets; nil, or nil at a column = the text
	Pictures []*Picture // in place of texts, or above them (Table.Photo); nil = all are texts
	Span     int
	Bold     bool
}

// pictureRow is the least height of a row with pictures.
const pictureRow = 10 * Millimeter

// Picture is an image.
type Picture struct {
	Ref    string // by which painters find the bytes
	Pixels [2]int // its width and height; 0 = unknown: it fills its box
	Fit    Fit
	Border Stroke
}

func (*Picture) content() {}

// Fit is how an image lies in its box.
type Fit uint8

// How images lie.
const (
	Contain Fit = iota // whole
	Cover              // fills the box, what is outside is cut
	Fill               // stretched
)

// Line is a straight line over the box of its element: lying where the box has no height, upright where it has no width.
type Line struct{ Stroke Stroke }

func (*Line) content() {}

// Rectangle is a frame. It grows with the elements within it and is drawn open where it goes on over pages.
type Rectangle struct {
	Stroke Stroke
	Fill   *Color
	Radius Length
}

func (*Rectangle) content() {}

// Modules is a code of dark modules: a QR code, or a barcode of one row.
type Modules struct {
	Rows  [][]bool
	Quiet int // light modules around a code of several rows, left and right of one of one row
	Text  string
	Style Style
	Logo  *Picture // in the middle
}

func (*Modules) content() {}
func (Boxes) content()    {}
