//go:build unix && !linux && !darwin

package instance

import "errors"

func peerUID(int) (int, error) { return -1, errors.ErrUnsupported }
