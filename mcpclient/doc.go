// Package mcpclient is the client half of the Model Context Protocol.
package mcpclient
