package launch

import (
	"crypto/x509"
	"fmt"
	"io"
	"os"
)

// maxCAs bounds a CAFile, in bytes; all authorities of a system are half of it.
const maxCAs = 1 << 20

// CheckCAFile tells with an [*Error] why a file cannot be a CAFile.
func CheckCAFile(path string) error {
	_, err := readCAs(path)
	return err
}

// readCAs reads a CAFile; nil for none. A file without a certificate is an error:
// to go on without would be to trust less than the person thinks.
func readCAs(path string) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	fail := func(why string, cause error) ([]byte, error) {
		return nil, &Error{Code: CodeConfig, Field: "caFile", Message: fmt.Sprintf("The certificate file `%s` %s.", path, why),
			Hint: "Choose another in the server's settings.", Cause: cause}
	}
	info, err := os.Stat(path) // first, since opening a pipe would wait
	if err != nil {
		return fail("cannot be read", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxCAs {
		return fail("is no file of certificates", nil)
	}
	f, err := os.Open(path)
	if err != nil {
		return fail("cannot be read", err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxCAs))
	if err != nil {
		return fail("cannot be read", err)
	}
	if !x509.NewCertPool().AppendCertsFromPEM(text) {
		return fail("holds no certificate in PEM form", nil)
	}
	return text, nil
}
