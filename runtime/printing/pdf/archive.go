package pdf

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"math"
	"time"
)

// producer is the program that files name.
const producer = "Sluice"

// metadata is what a file says of itself, as XMP (ISO 16684-1). It says the same as the dictionary of the file, as PDF/A demands.
func metadata(i Info) []byte {
	var out bytes.Buffer
	text := func(s string) string {
		var b bytes.Buffer
		_ = xml.EscapeText(&b, []byte(s)) // to memory
		return b.String()
	}
	about := func(prefix, space, content string) {
		fmt.Fprintf(&out, "<rdf:Description rdf:about=\"\" xmlns:%s=%q>%s</rdf:Description>\n", prefix, space, content)
	}
	out.WriteString("<?xpacket begin=\"\ufeff\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n")
	about("pdfaid", "http://www.aiim.org/pdfa/ns/id/", "<pdfaid:part>1</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>")
	if i.Title != "" {
		about("dc", "http://purl.org/dc/elements/1.1/", "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">"+text(i.Title)+"</rdf:li></rdf:Alt></dc:title>")
	}
	if i.Author != "" {
		about("dc", "http://purl.org/dc/elements/1.1/", "<dc:creator><rdf:Seq><rdf:li>"+text(i.Author)+"</rdf:li></rdf:Seq></dc:creator>")
	}
	at := i.Time.UTC().Format("2006-01-02T15:04:05+00:00")
	about("xmp", "http://ns.adobe.com/xap/1.0/", "<xmp:CreateDate>"+at+"</xmp:CreateDate><xmp:ModifyDate>"+at+"</xmp:ModifyDate>")
	about("pdf", "http://ns.adobe.com/pdf/1.3/", "<pdf:Producer>"+producer+"</pdf:Producer>")
	out.WriteString("</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"w\"?>")
	return out.Bytes()
}

// curve is how many points the tone curve of the profile has.
const curve = 1024

// profileTime is that of the profile, which is the same in all files.
var profileTime = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// sRGB is the color profile of files (ICC.1:2001-04, version 2.4): the primaries of IEC 61966-2-1 adapted to D50, and its tone curve.
func sRGB() []byte {
	be := binary.BigEndian
	fixed := func(v float64) uint32 { return uint32(int32(math.Round(v * 65536))) }
	xyz := func(x, y, z float64) []byte {
		return be.AppendUint32(be.AppendUint32(be.AppendUint32([]byte("XYZ \x00\x00\x00\x00"), fixed(x)), fixed(y)), fixed(z))
	}
	trc := be.AppendUint32([]byte("curv\x00\x00\x00\x00"), curve)
	for i := range curve {
		v := float64(i) / (curve - 1)
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		trc = be.AppendUint16(trc, uint16(math.Round(v*65535)))
	}
	const name, rights = "sRGB\x00", "No rights reserved\x00"
	desc := be.AppendUint32([]byte("desc\x00\x00\x00\x00"), uint32(len(name)))
	desc = append(append(desc, name...), make([]byte, 4+4+2+1+67)...)
	tags := []struct {
		name string
		data []byte
	}{
		{"desc", desc}, {"cprt", append([]byte("text\x00\x00\x00\x00"), rights...)}, {"wtpt", xyz(0.9642, 1, 0.8249)},
		{"rXYZ", xyz(0.4360747, 0.2225045, 0.0139322)}, {"gXYZ", xyz(0.3850649, 0.7168786, 0.0971045)}, {"bXYZ", xyz(0.1430804, 0.0606169, 0.7141733)},
		{"rTRC", trc}, {"gTRC", nil}, {"bTRC", nil}, // the same curve
	}
	table := be.AppendUint32(nil, uint32(len(tags)))
	var data []byte
	from, size := 0, 0
	for _, t := range tags {
		if t.data != nil {
			from, size = 128+4+12*len(tags)+len(data), len(t.data)
			data = append(data, t.data...)
			for len(data)%4 != 0 {
				data = append(data, 0)
			}
		}
		table = append(table, t.name...)
		table = be.AppendUint32(be.AppendUint32(table, uint32(from)), uint32(size))
	}
	head := make([]byte, 128)
	be.PutUint32(head, uint32(128+len(table)+len(data)))
	be.PutUint32(head[8:], 0x02400000)
	copy(head[12:], "mntrRGB XYZ ")
	for i, v := range []int{profileTime.Year(), int(profileTime.Month()), profileTime.Day(), 0, 0, 0} {
		be.PutUint16(head[24+2*i:], uint16(v))
	}
	copy(head[36:], "acsp")
	copy(head[68:], xyz(0.9642, 1, 0.8249)[8:])
	return append(append(head, table...), data...)
}
