package app

import (
	"context"
	"fmt"
	"runtime/debug"
)

// The bound structs. Each holds nothing but the application, since the page
// can call every exported method of what is bound.
type (
	// Servers is the page's way to the servers and their settings.
	Servers struct{ a *App }
	// Tools is the page's way to the tools.
	Tools struct{ a *App }
	// Calls is the page's way to calls: propose, watch, cancel, history.
	Calls struct{ a *App }
	// Approvals is the page's way to the open cards.
	Approvals struct{ a *App }
	// Questions is the page's way to what servers ask.
	Questions struct{ a *App }
	// Lists is the page's way to call lists.
	Lists struct{ a *App }
	// Settings is the page's way to the settings.
	Settings struct{ a *App }
)

// Bindings lists what is bound to the page.
func (a *App) Bindings() []any {
	return []any{&Servers{a}, &Tools{a}, &Calls{a}, &Approvals{a}, &Questions{a}, &Lists{a}, &Settings{a}, &Rules{a}}
}

// guard wraps every bound method: it wants the launch token, hands a context
// that ends with the application, turns a panic into an error (the bridge
// would leave the page waiting for ever), and shapes errors for a person.
func guard[T any](a *App, token, method string, fn func(ctx context.Context) (T, error)) (out T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = a.internal(method, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}
	}()
	if !a.token.ok(token) {
		a.refusedCalls.Add(1)
		return out, &Error{Code: CodeToken, Message: "This caller may not use Countersign.", Hint: "Only Countersign's own window may."}
	}
	ctx, err := a.running()
	if err != nil {
		return out, err
	}
	out, err = fn(ctx)
	return out, a.shape(method, err)
}

// act is guard for methods that return nothing.
func act(a *App, token, method string, fn func(ctx context.Context) error) error {
	_, err := guard(a, token, method, func(ctx context.Context) (struct{}, error) { return struct{}{}, fn(ctx) })
	return err
}

// list makes an empty list cross the bridge as [] and not as null.
func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}
