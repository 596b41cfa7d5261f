// Package instance lets one program at a time use a data folder.
//
// [Lock] takes a lock of the file system before anything else in the folder is
// touched; it is free again the moment its holder ends, however that happens. The
// holder can listen for a second start ([Held.Serve]), which asks it to come to
// the front ([Raise]) over a Unix socket that only the same user can reach. No
// network port is opened.
package instance
