package web

import (
	"encoding/json"
	"errors"
	"time"

	"lockstep/web/room"
	"lockstep/web/store"
)

// A pairing is the first entry of the log of a link that makes a device the
// presenter's. There is no second but the one that says that it was used: so it
// can be used once, whichever server is asked.
type pairing struct {
	Code  string    `json:"code"`
	Until time.Time `json:"until"`
}

// pairingTime is how long such a link is good for: it is on a screen, and to be
// scanned at once.
const pairingTime = 5 * time.Minute

var errPairing = errors.New("room.pairing")

// offerPairing gives what stands in the link.
func (s *Server) offerPairing(code string) (secret string, err error) {
	secret = newKey()
	return secret, s.pairing(secret).append(pairing{Code: code, Until: time.Now().Add(pairingTime)})
}

// takePairing uses a link up, or says that it is none.
func (s *Server) takePairing(code, secret string) error {
	var p pairing
	log := s.pairing(secret)
	if err := log.read(func() {}, func(entry []byte) error { return json.Unmarshal(entry, &p) }); err != nil {
		return err
	}
	if len(log.entries) != 1 || p.Code != code || time.Now().After(p.Until) {
		return errPairing
	}
	err := log.append(pairing{})
	if errors.Is(err, store.ErrBehind) {
		return errPairing
	}
	return err
}

func (s *Server) pairing(secret string) *replica {
	return &replica{store: s.store, log: "p/" + room.HashKey(secret)}
}
