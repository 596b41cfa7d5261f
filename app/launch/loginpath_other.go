//go:build !unix

package launch

import (
	"context"
	"errors"
)

func loginPath(context.Context, []string) (string, error) {
	return "", errors.New("this system has no login shell")
}
