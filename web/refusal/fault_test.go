package refusal

import (
	"errors"
	"fmt"
	"net/http"
	"testing"

	"lockstep/web/limit"
	"lockstep/web/store"
)

// An answer's status says whose turn it is: the reader's, to ask for something else; the reader's, to come again later; or the operator's.
func TestStatusOfARefusal(t *testing.T) {
	own := New(TooMany, TooFast, "error.fast")
	for _, c := range []struct {
		err     error
		told    string // code, key and status
		looking int    // the status where the error keeps somebody from looking
	}{
		{store.ErrDamaged, "refused error.damaged 500", Internal},
		{fmt.Errorf("%w: %w", own, store.ErrDamaged), "refused error.damaged 500", Internal},
		{own, "too-fast error.fast 429", http.StatusForbidden},
		{fmt.Errorf("a press: %w", own), "too-fast error.fast 429", http.StatusForbidden},
		{fmt.Errorf("%w: %w", own, limit.ErrFull), "too-fast error.fast 429", http.StatusForbidden},
		{limit.ErrFull, "limit error.busy 503", Unavailable},
		{fmt.Errorf("a turn: %w", limit.ErrTooMuch), "limit error.too-much 422", http.StatusForbidden},
		{store.ErrUnavailable, "store error.store 503", Unavailable},
		{store.ErrShare, "limit error.store-share 429", http.StatusForbidden},
		{store.ErrGone, "refused error.gone 410", http.StatusForbidden},
		{errors.New("no such client"), "refused no such client 422", http.StatusForbidden},
	} {
		// Forbidden comes first: it changes nothing for those who are told next.
		if got := Forbidden(c.err).Status; got != c.looking {
			t.Errorf("who may not look for %q is told %d, want %d", c.err, got, c.looking)
		}
		e := Of(c.err)
		if got := fmt.Sprint(e.Code, " ", e.Error(), " ", e.Status); got != c.told {
			t.Errorf("%q is told as %s, want %s", c.err, got, c.told)
		}
	}
}
