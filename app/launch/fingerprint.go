package launch

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
)

// Fingerprint returns the hex HMAC-SHA-256, under key, of everything that decides
// what is started or contacted: command, arguments in order, working directory,
// names and values of the environment, or address, headers, proxy and the authorities
// that are trusted. The settings are
// given with values in place of references. Order within environment and headers
// does not count; name and time limit of the server do not either. Every field is
// hashed with its length, so that no two launches share a fingerprint by where
// their texts are cut.
//
// It is keyed since values may be short secrets, which a bare hash would let guess.
func Fingerprint(key []byte, s Settings) string {
	return fingerprint(key, s.Command, s, nil)
}

// fingerprint also takes the command as it is configured, whose reference may have
// changed while its value has not, and the content of the CAFile: a file of the same
// name with other authorities is another launch.
func fingerprint(key []byte, configured string, s Settings, extraCAs []byte) string {
	mac := hmac.New(sha256.New, key)
	text := func(t string) {
		mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(t))))
		mac.Write([]byte(t))
	}
	count := func(n int) { mac.Write(binary.BigEndian.AppendUint64(nil, uint64(n))) }
	vars := func(list []Var) {
		list = sorted(list)
		count(len(list))
		for _, v := range list {
			text(v.Name)
			text(v.Value)
		}
	}
	text("countersign launch 1")
	text(s.Kind)
	text(configured)
	text(s.Command)
	count(len(s.Args))
	for _, a := range s.Args {
		text(a)
	}
	text(s.Dir)
	vars(s.Env)
	text(s.URL)
	vars(s.Headers)
	// What came later is hashed where it is set, so that earlier consents hold.
	if extraCAs != nil {
		text("authorities")
		text(string(extraCAs))
	}
	if s.Proxy != "" {
		text("proxy")
		text(s.Proxy)
	}
	if s.PlainHTTP {
		text("plain http")
	}
	return hex.EncodeToString(mac.Sum(nil))
}
