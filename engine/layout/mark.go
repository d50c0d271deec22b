package layout

// Page is a sheet with its marks, in the order in which they are drawn.
type Page struct {
	Width, Height Length
	Marks         []Mark
}

// Mark is a thing on a page: Text, Stroked, Box, Image or Code. Lengths are distances from the top left corner of the paper.
type Mark interface{ mark() }

// TextMark is a line of text that begins at X on the baseline Y and is Width long.
type TextMark struct {
	X, Y, Width, Size       Length
	Text                    string
	Color                   Color
	Bold, Italic, Underline bool
}

// LineMark is a straight line.
type LineMark struct {
	X1, Y1, X2, Y2 Length
	Stroke         Stroke
}

// BoxMark is a rectangle. Open edges have no line.
type BoxMark struct {
	X, Y, Width, Height Length
	Stroke              Stroke
	Fill                *Color
	Radius              Length
	OpenTop, OpenBottom bool
}

// ImageMark is an image. It is drawn at X, Y with its size; what is outside of Clip is cut.
type ImageMark struct {
	X, Y, Width, Height Length
	Clip                *[4]Length // x, y, width, height
	Ref                 string
}

// CodeMark are the dark modules of a code over a light ground.
type CodeMark struct {
	X, Y, Width, Height Length
	Rows                [][]bool
}

func (TextMark) mark()  {}
func (LineMark) mark()  {}
func (BoxMark) mark()   {}
func (ImageMark) mark() {}
func (CodeMark) mark()  {}
