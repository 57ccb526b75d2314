package serve

import (
	"context"
	"fmt"
	"net"

	"lockstep/web"
	"lockstep/web/live"
)

// Show serves a scenario on this machine alone until ctx ends. It calls announce with the address where the run opens.
func Show(ctx context.Context, scenario string, announce func(url string)) error {
	trace, err := live.Play(nil, scenario)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("showing the run: %w", err)
	}
	site := web.New(web.Options{})
	path, err := site.Show(trace.Run)
	if err != nil {
		listener.Close()
		site.Close()
		return err
	}
	announce("http://" + listener.Addr().String() + path)
	return site.Serve(ctx, listener, 0)
}
