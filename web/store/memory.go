package store

import (
	"bytes"
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"
)

// memoryIdle is the idle time after which Memory may forget a log to make room.
const memoryIdle = time.Hour

type memory struct {
	Alone
	*Common

	mu     sync.Mutex
	logs   map[string]*list.Element // of *memoryLog, by name
	order  list.List                // of the same; the log that was added to last stands last
	bytes  int64
	shares Shares
	graves Graves
}

type memoryLog struct {
	name, owner string
	entries     [][]byte
	bytes       int64
	added       time.Time // of the last entry
}

// Memory returns a store that forgets everything when the process ends.
func Memory(o Options) Store {
	return &memory{Common: NewCommon(o, 64<<20), logs: map[string]*list.Element{}, graves: Graves{}}
}

func (m *memory) Append(ctx context.Context, name string, n int, entry []byte) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("append to %s: %w", name, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgetIdle(m.Keep, nil, func() bool { return false })
	if m.graves.Has(name) {
		return ErrGone
	}
	at, log := m.logs[name], &memoryLog{name: name, owner: OwnerIn(ctx)}
	if at != nil {
		log = at.Value.(*memoryLog)
	}
	cost := Cost(n, entry)
	if err := Admit(len(log.entries), n, log.bytes, cost); err != nil {
		return err
	}
	if err := m.shares.Admit(log.owner, m.MaxBytes, n, cost); err != nil {
		return err
	}
	fits := func() bool { return m.bytes+cost <= Most(m.MaxBytes, name, n) }
	if m.forgetIdle(memoryIdle, log, fits); !fits() {
		return ErrFull
	}
	if at == nil {
		m.logs[name] = m.order.PushBack(log)
	} else {
		m.order.MoveToBack(at)
	}
	log.entries, log.added = append(log.entries, bytes.Clone(entry)), time.Now()
	log.bytes += cost
	m.shares.Add(log.owner, cost)
	m.takes(cost)
	return nil
}

// forgetIdle forgets logs other than one that have been idle for some time, the longest first, until there are
// enough.
func (m *memory) forgetIdle(idle time.Duration, but *memoryLog, enough func() bool) {
	for at := m.order.Front(); at != nil && !enough(); {
		log, next := at.Value.(*memoryLog), at.Next()
		if time.Since(log.added) < idle {
			return
		}
		if log != but && !Lasts(log.name) {
			m.forget(log.name)
		}
		at = next
	}
}

// takes counts bytes. They are fewer than none where a log is forgotten.
func (m *memory) takes(bytes int64) {
	m.bytes += bytes
	m.Takes(m.bytes, m.MaxBytes)
}

func (m *memory) Read(ctx context.Context, name string, n int) ([][]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgetIdle(m.Keep, nil, func() bool { return false })
	if m.graves.Has(name) {
		return nil, ErrGone
	}
	if at := m.logs[name]; at != nil {
		if log := at.Value.(*memoryLog); n < len(log.entries) {
			return log.entries[n:], nil
		}
	}
	return nil, nil
}

func (m *memory) forget(name string) {
	if at := m.logs[name]; at != nil {
		delete(m.logs, name)
		m.takes(-m.order.Remove(at).(*memoryLog).bytes)
	}
}

func (m *memory) Delete(_ context.Context, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(name)
	return nil
}

func (m *memory) Forget(_ context.Context, names []string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, name := range names {
		m.forget(name)
		m.graves.Bury(name)
	}
	return nil
}

func (m *memory) Names(context.Context) (names []string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forgetIdle(m.Keep, nil, func() bool { return false })
	for name := range m.logs {
		if !Lasts(name) {
			names = append(names, name)
		}
	}
	return names, nil
}

// Ping fails if the reserve is used up.
func (m *memory) Ping(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if NearlyFull(m.bytes, m.MaxBytes) {
		return &Failure{"it is full", ErrFull}
	}
	return nil
}

func (m *memory) Close() error { return nil }
