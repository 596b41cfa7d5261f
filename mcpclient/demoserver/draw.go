package demoserver

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
)

// A glyph is drawn into a unit square: it says whether a point is inside.
type glyph func(x, y float64) bool

func disc(cx, cy, r float64) glyph {
	return func(x, y float64) bool { return (x-cx)*(x-cx)+(y-cy)*(y-cy) <= r*r }
}

func box(x0, y0, x1, y1 float64) glyph {
	return func(x, y float64) bool { return x >= x0 && x <= x1 && y >= y0 && y <= y1 }
}

// stroke is a line with round ends.
func stroke(x0, y0, x1, y1, w float64) glyph {
	return func(x, y float64) bool {
		dx, dy := x1-x0, y1-y0
		t := math.Max(0, math.Min(1, ((x-x0)*dx+(y-y0)*dy)/(dx*dx+dy*dy)))
		return math.Hypot(x-x0-t*dx, y-y0-t*dy) <= w/2
	}
}

func union(parts ...glyph) glyph {
	return func(x, y float64) bool {
		for _, p := range parts {
			if p(x, y) {
				return true
			}
		}
		return false
	}
}

func without(a, b glyph) glyph { return func(x, y float64) bool { return a(x, y) && !b(x, y) } }

var (
	glyphSeal    = union(without(disc(.5, .5, .34), disc(.5, .5, .27)), stroke(.36, .51, .46, .61, .08), stroke(.46, .61, .65, .39, .08))
	glyphWeather = union(without(disc(.64, .36, .13), disc(.5, .5, .23)), disc(.35, .6, .13), disc(.5, .52, .17), disc(.66, .62, .11), box(.35, .6, .66, .73))
	glyphChart   = union(box(.22, .55, .34, .78), box(.44, .38, .56, .78), box(.66, .24, .78, .78))
	glyphAudio   = union(stroke(.3, .42, .3, .58, .08), stroke(.43, .3, .43, .7, .08), stroke(.57, .22, .57, .78, .08), stroke(.7, .38, .7, .62, .08))
	glyphMixed   = union(without(box(.22, .22, .6, .6), box(.29, .29, .53, .53)), disc(.64, .64, .18))
	glyphTime    = union(without(disc(.5, .5, .32), disc(.5, .5, .25)), stroke(.5, .5, .5, .33, .07), stroke(.5, .5, .62, .57, .07))
	glyphForm    = union(stroke(.26, .3, .74, .3, .08), stroke(.26, .5, .74, .5, .08), stroke(.26, .7, .56, .7, .08))
	glyphLink    = union(stroke(.32, .68, .68, .32, .08), stroke(.48, .32, .68, .32, .08), stroke(.68, .32, .68, .52, .08))
	glyphCross   = union(stroke(.32, .32, .68, .68, .1), stroke(.68, .32, .32, .68, .1))
	glyphBolt    = union(stroke(.56, .2, .38, .52, .1), stroke(.38, .52, .62, .48, .1), stroke(.62, .48, .44, .8, .1))
	glyphTable   = union(without(box(.22, .24, .78, .76), box(.27, .29, .73, .71)), box(.22, .41, .78, .46), box(.22, .56, .78, .6), box(.44, .24, .48, .76))
	glyphText    = union(stroke(.3, .28, .7, .28, .09), stroke(.5, .28, .5, .74, .09))
	glyphPlus    = union(stroke(.5, .28, .5, .72, .1), stroke(.28, .5, .72, .5, .1))
)

// hueColor is a quiet colour of a hue in degrees, at a lightness of 0 to 1.
func hueColor(hue int, light float64) color.NRGBA {
	h := float64(hue%360) / 60
	c := (1 - math.Abs(2*light-1)) * .5
	x := c * (1 - math.Abs(math.Mod(h, 2)-1))
	rgb := [][3]float64{{c, x, 0}, {x, c, 0}, {0, c, x}, {0, x, c}, {x, 0, c}, {c, 0, x}}[int(h)%6]
	m := light - c/2
	to := func(v float64) uint8 { return uint8(math.Round((v + m) * 255)) }
	return color.NRGBA{to(rgb[0]), to(rgb[1]), to(rgb[2]), 255}
}

func encodePNG(img image.Image) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic("demoserver: " + err.Error()) // a buffer takes everything
	}
	return b.Bytes()
}

// icon draws a glyph on a rounded square, as an Icon object with a data:
// address.
func icon(g glyph, hue int) map[string]any {
	const size, over = 48, 3
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	back, front := hueColor(hue, .42), color.NRGBA{255, 255, 255, 255}
	for py := range size {
		for px := range size {
			inside, drawn := 0, 0
			for s := range over * over {
				x := (float64(px) + (float64(s%over)+.5)/over) / size
				y := (float64(py) + (float64(s/over)+.5)/over) / size
				if rounded(x, y) {
					inside++
					if g(x, y) {
						drawn++
					}
				}
			}
			if inside == 0 {
				continue
			}
			t := float64(drawn) / float64(inside)
			mix := func(a, b uint8) uint8 { return uint8(float64(a)*(1-t) + float64(b)*t) }
			img.SetNRGBA(px, py, color.NRGBA{mix(back.R, front.R), mix(back.G, front.G), mix(back.B, front.B), uint8(255 * inside / (over * over))})
		}
	}
	return map[string]any{"src": "data:image/png;base64," + base64Of(encodePNG(img)), "mimeType": "image/png", "sizes": []string{"48x48"}}
}

func rounded(x, y float64) bool {
	const r = .22
	dx, dy := math.Max(0, math.Max(r-x, x-(1-r))), math.Max(0, math.Max(r-y, y-(1-r)))
	return dx*dx+dy*dy <= r*r
}

// chart draws values as bars up and down from a line at zero.
func chart(values []float64) []byte {
	const width, height, pad = 640, 360, 24
	const tall = height - 2*pad
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range img.Pix {
		img.Pix[i] = 255
	}
	fill := func(x0, y0, x1, y1 int, c color.NRGBA) {
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				img.SetNRGBA(x, y, c)
			}
		}
	}
	top, bottom := 0.0, 0.0
	for _, v := range values {
		top, bottom = math.Max(top, v/2), math.Min(bottom, v/2) // halves: their span is always finite
	}
	span := top - bottom
	if span == 0 {
		span = 1
	}
	zero := pad + int(math.Round(top/span*tall))
	for i := range 5 {
		y := pad + tall*i/4
		fill(pad, y, width-pad, y+1, color.NRGBA{228, 230, 235, 255})
	}
	slot := float64(width-2*pad) / float64(max(len(values), 1))
	for i, v := range values {
		x0, x1 := pad+int(slot*(float64(i)+.15)), pad+int(slot*(float64(i)+.85))
		end := zero - int(math.Round(v/2/span*tall))
		shade := hueColor(220, .42)
		if v < 0 {
			shade = hueColor(30, .5)
		}
		fill(x0, min(zero, end), max(x1, x0+1), max(zero, end), shade)
	}
	fill(pad, zero, width-pad, zero+2, color.NRGBA{60, 66, 80, 255})
	return encodePNG(img)
}

// tone makes a WAV file of a sine tone, mono, 16 bits, 22,050 Hz.
func tone(hertz float64, milliseconds int) []byte {
	const rate = 22050
	n := rate * milliseconds / 1000
	var b bytes.Buffer
	put := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) } // a buffer takes everything
	b.WriteString("RIFF")
	put(uint32(36 + 2*n))
	b.WriteString("WAVEfmt ")
	put(struct {
		Size             uint32
		Format, Channels uint16
		Rate, Bytes      uint32
		Align, Bits      uint16
	}{16, 1, 1, rate, rate * 2, 2, 16})
	b.WriteString("data")
	put(uint32(2 * n))
	for i := range n {
		fade := math.Min(1, math.Min(float64(i), float64(n-i))/500)
		put(int16(fade * 12000 * math.Sin(2*math.Pi*hertz*float64(i)/rate)))
	}
	return b.Bytes()
}
