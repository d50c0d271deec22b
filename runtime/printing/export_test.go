package printing

// Codes are the codes on a printout, in the order of its records.
func (p *Printout) Codes() (out []string) {
	for _, id := range p.Records {
		if c, has := p.codes[id]; has {
			out = append(out, c.token)
		}
	}
	return out
}

// Part is how many records a batch lays out at once.
const Part = partRecords

// PartImages is how many bytes of pictures a part of a batch has at most, and those of one more record.
const PartImages = partImages

// AsPart is a request as batches make it.
func (r Request) AsPart() Request {
	r.part = true
	return r
}

// Reached is how many of the requested records were looked at.
func (p *Printout) Reached() int { return p.reached }

// Bars are the modules of a barcode.
func Bars(symbology, text string) ([][]bool, error) {
	code, err := encode(symbology, text)
	if err != nil {
		return nil, err
	}
	return bars(code), nil
}
