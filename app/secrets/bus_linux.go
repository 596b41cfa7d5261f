package secrets

import (
	"fmt"
	"os"
)

// noKeyring says why no Secret Service can be reached, "" if one may be. Without
// a session bus the D-Bus library would start one of its own (dbus-launch) and
// leave it running; a keyring on such a bus is nobody's.
func noKeyring() string {
	if a := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); a != "" && a != "autolaunch:" {
		return ""
	}
	for _, name := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat(fmt.Sprintf("/run/user/%d/%s", os.Getuid(), name)); err == nil {
			return ""
		}
	}
	return "there is no session bus"
}
