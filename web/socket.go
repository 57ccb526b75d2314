package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
)

// A socket carries the messages of one viewer. One goroutine receives and one
// sends; either may close it.
type socket interface {
	Receive() ([]byte, error) // the next text message; errBinary and errLarge name one that is not read
	Send(frame) error
	Close() error
}

// A frame is a message, encoded once for all who get it.
type frame struct{ prepared *websocket.PreparedMessage }

const (
	maxMessage = 512 << 10 // bytes, received
	sendTime   = 10 * time.Second
	pingTime   = 25 * time.Second
	silence    = 60 * time.Second // after which a viewer that answers no ping is gone
)

var (
	errBinary = errors.New("error.binary")
	errLarge  = errors.New("error.large")
)

// newFrame encodes a message of the protocol.
func newFrame(message any) frame {
	data, err := json.Marshal(message)
	if err != nil {
		panic(fmt.Errorf("encoding a message: %w", err)) // all of them are plain data
	}
	return prepare(websocket.TextMessage, data)
}

// ping asks a viewer whether it is still there.
var ping = prepare(websocket.PingMessage, nil)

func prepare(kind int, data []byte) frame {
	prepared, err := websocket.NewPreparedMessage(kind, data)
	if err != nil {
		panic(fmt.Errorf("preparing a frame: %w", err)) // it is written to memory
	}
	return frame{prepared}
}

// upgrader refuses sockets from the pages of other sites, as gorilla does unless told otherwise.
var upgrader = websocket.Upgrader{ReadBufferSize: 2 << 10, WriteBufferSize: 4 << 10}

func upgrade(w http.ResponseWriter, r *http.Request) (socket, error) {
	conn, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return nil, fmt.Errorf("opening a socket: %w", err)
	}
	s := gorilla{conn}
	if err := s.alive(); err != nil {
		return nil, errors.Join(fmt.Errorf("opening a socket: %w", err), conn.Close())
	}
	conn.SetPongHandler(func(string) error { return s.alive() })
	return s, nil
}

type gorilla struct{ conn *websocket.Conn }

func (s gorilla) alive() error { return s.conn.SetReadDeadline(time.Now().Add(silence)) }

// Receive bounds what it reads itself: gorilla's own limit closes the socket
// before the viewer could be told why.
func (s gorilla) Receive() ([]byte, error) {
	kind, reader, err := s.conn.NextReader()
	if err != nil {
		return nil, err
	}
	if kind != websocket.TextMessage {
		return nil, errBinary
	}
	data, err := io.ReadAll(io.LimitReader(reader, maxMessage+1))
	if err == nil && len(data) > maxMessage {
		err = errLarge
	}
	return data, err
}

func (s gorilla) Send(f frame) error {
	if err := s.conn.SetWriteDeadline(time.Now().Add(sendTime)); err != nil {
		return err
	}
	return s.conn.WritePreparedMessage(f.prepared)
}

func (s gorilla) Close() error { return s.conn.Close() }
