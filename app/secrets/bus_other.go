//go:build !linux

package secrets

func noKeyring() string { return "" }
