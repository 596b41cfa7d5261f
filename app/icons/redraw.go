package icons

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
)

// maxScans bounds the scans of a progressive JPEG: each one makes the decoder
// walk the whole image, and a scan can be a dozen bytes. Encoders write ten.
const maxScans = 64

// sniff recognises the two accepted formats by their first bytes (ICON-08) and
// names the well-known others in its refusal.
func sniff(data []byte) (string, error) {
	has := func(prefix string) bool { return bytes.HasPrefix(data, []byte(prefix)) }
	switch {
	case has("\x89PNG\r\n\x1a\n"):
		return "image/png", nil
	case has("\xff\xd8\xff"):
		return "image/jpeg", nil
	case has("GIF87a"), has("GIF89a"):
		return "", refuse(CodeType, "the icon is a GIF; only PNG and JPEG are shown")
	case has("RIFF") && len(data) >= 12 && string(data[8:12]) == "WEBP":
		return "", refuse(CodeType, "the icon is a WebP image; only PNG and JPEG are shown")
	}
	return "", refuse(CodeType, "the icon's bytes are neither PNG nor JPEG")
}

// redraw turns the bytes of an image into a PNG of our own making, at most
// MaxDrawn pixels wide and high. claim is "image/png", "image/jpeg" or "". The
// dimensions are read and checked before any pixel is decoded (ICON-02).
func redraw(data []byte, claim string) ([]byte, error) {
	if len(data) > MaxBytes {
		return nil, tooLarge()
	}
	kind, err := sniff(data)
	if err != nil {
		return nil, err
	}
	if claim != "" && claim != kind {
		return nil, refuse(CodeType, "the icon says %s and is %s", claim, kind)
	}
	if kind == "image/jpeg" && bytes.Count(data, []byte{0xff, 0xda}) > maxScans {
		return nil, refuse(CodeSize, "the icon has more than %d scans", maxScans)
	}
	readHeader, decode := png.DecodeConfig, png.Decode
	if kind == "image/jpeg" {
		readHeader, decode = jpeg.DecodeConfig, jpeg.Decode
	}
	header, err := readHeader(bytes.NewReader(data))
	if err != nil {
		return nil, &RefusedError{Code: CodeMalformed, Reason: "the icon's header can't be read", Cause: err}
	}
	if header.Width < 1 || header.Height < 1 || header.Width > MaxDimension || header.Height > MaxDimension {
		return nil, refuse(CodeSize, "the icon has %d × %d pixels; at most %d × %d are shown",
			header.Width, header.Height, MaxDimension, MaxDimension)
	}
	img, err := decode(bytes.NewReader(data))
	if err != nil {
		return nil, &RefusedError{Code: CodeMalformed, Reason: "the icon can't be decoded", Cause: err}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, shrink(img)); err != nil {
		return nil, &RefusedError{Code: CodeMalformed, Reason: "the icon can't be drawn", Cause: err}
	}
	return out.Bytes(), nil
}

// shrink copies an image, scaled down where it is larger than MaxDrawn. The
// copy has 8 bits a channel, so the size of the PNG is bounded.
func shrink(img image.Image) image.Image {
	from := img.Bounds()
	w, h := from.Dx(), from.Dy()
	if long := max(w, h); long > MaxDrawn {
		w, h = max(1, w*MaxDrawn/long), max(1, h*MaxDrawn/long)
	}
	to := image.NewRGBA(image.Rect(0, 0, w, h))
	if w == from.Dx() && h == from.Dy() {
		draw.Draw(to, to.Bounds(), img, from.Min, draw.Src)
		return to
	}
	draw.CatmullRom.Scale(to, to.Bounds(), img, from, draw.Src, nil)
	return to
}
