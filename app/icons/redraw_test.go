package icons

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"
	"testing"
)

// FuzzRedraw feeds anything that begins like an image: it must be refused or
// come out as a small PNG.
func FuzzRedraw(f *testing.F) {
	var p, j bytes.Buffer
	img := image.NewPaletted(image.Rect(0, 0, 9, 5), nil)
	img.Palette = append(img.Palette, image.White.C, image.Black.C)
	if err := png.Encode(&p, img); err != nil {
		f.Fatal(err)
	}
	if err := jpeg.Encode(&j, img, nil); err != nil {
		f.Fatal(err)
	}
	f.Add(p.Bytes())
	f.Add(j.Bytes())
	f.Add(p.Bytes()[:40])
	f.Add([]byte("GIF89a"))
	f.Fuzz(func(t *testing.T, data []byte) {
		out, err := redraw(data, "")
		if err != nil {
			return
		}
		drawn, err := png.Decode(bytes.NewReader(out))
		if err != nil {
			t.Fatalf("our own PNG can't be decoded: %v", err)
		}
		if b := drawn.Bounds(); b.Dx() > MaxDrawn || b.Dy() > MaxDrawn || b.Empty() {
			t.Fatalf("drawn with %v", b)
		}
	})
}
