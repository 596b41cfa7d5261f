package mcpclient

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"countersign/mcpclient/jsonrpc"
)

// handshake opens a legacy session: by initialize, and with a server that takes
// no such POST over HTTP+SSE, if it turns out to speak that (LEG-23).
func (c *Client) handshake(ctx context.Context) error {
	err := c.initialize(ctx)
	var page *HTTPError
	t, ok := c.tr.(*httpTransport)
	if !ok || t.isOld() || !errors.As(err, &page) || !slices.Contains([]int{400, 404, 405}, page.Status) {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, c.cfg.ProbeTimeout)
	defer cancel()
	if old := t.openOld(limited); old != nil {
		c.fallback("GET for HTTP+SSE (2024-11-05): %v", old)
		return err
	}
	c.fallback("initialize by POST: %v", page)
	return c.initialize(ctx)
}

// initialize makes the legacy handshake (LEG-01..LEG-04).
func (c *Client) initialize(ctx context.Context) error {
	rep, err := c.askInitialize(ctx, LegacyVersion)
	if err != nil {
		return err
	}
	if rep.msg.Error != nil {
		// LEG-06: the error may name what the server does speak.
		e, _ := jsonrpc.ParseError(rep.msg.Error)
		if e != nil && e.Data != nil {
			supported, _ := jsonrpc.Get(e.Data, "supported")
			if v := newestShared(texts(supported)); v != "" && v != LegacyVersion {
				c.fallback("initialize (%s): %v", LegacyVersion, e)
				if rep, err = c.askInitialize(ctx, v); err != nil {
					return err
				}
			}
		}
	}
	if err := resultOf(&rep.msg); err != nil {
		return fmt.Errorf("connect: initialize: %w", err)
	}
	raw, _ := jsonrpc.Get(rep.msg.Result, "protocolVersion")
	version, _ := jsonrpc.String(raw)
	if !slices.Contains(legacyVersions, version) {
		return fmt.Errorf("connect: %w", &VersionError{Theirs: []string{version}, Ours: allVersions})
	}
	server, _ := jsonrpc.Get(rep.msg.Result, "serverInfo")
	c.settle(EraLegacy, version, rep.msg.Result, server)
	return c.sendInitialized(ctx)
}

func (c *Client) askInitialize(ctx context.Context, version string) (reply, error) {
	members := append([]byte(`,"protocolVersion":`), jsonrpc.AppendString(nil, version)...)
	members = append(members, `,"capabilities":`+capabilitiesJSON(&c.cfg, version)+`,"clientInfo":`...)
	members = append(members, clientInfoJSON(c.cfg.ClientInfo)...)
	rep, err := c.doAgain(ctx, func() *exchange {
		x := c.newExchange("initialize", string(members), c.cfg.RequestTimeout)
		x.opening, x.early, x.keep = true, true, true
		return x
	})
	if err != nil {
		return rep, fmt.Errorf("connect: initialize: %w", bare(err))
	}
	return rep, nil
}

func (c *Client) sendInitialized(ctx context.Context) error {
	for {
		const method = "notifications/initialized"
		err := c.tr.notify(ctx, &exchange{
			method: method, early: true,
			frame: withRoom(jsonrpc.AppendNotification(nil, method, nil)),
			clock: &clock{max: c.cfg.RequestTimeout},
		})
		switch {
		case err == nil:
			return nil
		case !askAgain(err):
			return fmt.Errorf("connect: %w", bare(err))
		}
	}
}

// anew makes the handshake of a lost session once more (LEG-08). A server that
// says other things of itself than before is another one: that is an error, and
// whoever connected decides what to do about it.
func (c *Client) anew(ctx context.Context) error {
	c.dropQuestions(func(*question) bool { return true })
	rep, err := c.askInitialize(ctx, c.info.Version)
	if err == nil {
		err = resultOf(&rep.msg)
	}
	if err != nil {
		return err
	}
	result := rep.msg.Result
	capabilities, _ := jsonrpc.Get(result, "capabilities")
	if !jsonrpc.IsObject(capabilities) {
		capabilities = nil // as settle has it
	}
	server, _ := jsonrpc.Get(result, "serverInfo")
	if textAt(result, "protocolVersion") != c.info.Version || shownAt(result, "instructions") != c.info.Instructions ||
		!bytes.Equal(capabilities, c.info.Capabilities) || !bytes.Equal(server, c.info.ServerInfoRaw) {
		return errors.New("the server is another one now")
	}
	if err := c.sendInitialized(ctx); err != nil {
		return err
	}
	c.events.toolsChanged()
	return nil
}
