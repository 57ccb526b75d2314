package store

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// memoryIdle is the idle time after which Memory may forget a log to make room.
const memoryIdle = time.Hour

type memory struct {
	alone
	clock   clock
	damages damages

	mu      sync.Mutex
	catalog *catalog
}

// Memory returns a store that forgets everything when the process ends.
func Memory(o Options) Store {
	o = o.withDefaults(40_000, 64<<20)
	return &memory{clock: reopenClock(0, 0), damages: damages{logger: o.Logger}, catalog: newCatalog(o, memoryIdle)}
}

func (m *memory) Append(ctx context.Context, name string, n int, entry []byte) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("append to %s: %w", name, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire()
	log, _, err := m.catalog.grow(name, n, len(entry), ownerOf(ctx))
	if err != nil {
		return err
	}
	log.records = append(log.records, seal(name, n, entry))
	return nil
}

func (m *memory) Read(ctx context.Context, name string, n int) ([][]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	records, err := m.records(name, n)
	if err != nil {
		return nil, err
	}
	return m.damages.unseal(name, n, records)
}

// records returns a log's records after the first n. They never change.
func (m *memory) records(name string, n int) ([][]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire()
	log := m.catalog.logs[name]
	switch {
	case m.catalog.isBuried(name):
		return nil, ErrGone
	case log == nil || n >= log.entries:
		return nil, nil
	}
	return log.records[n:], nil
}

func (m *memory) Forget(_ context.Context, names []string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, name := range names {
		if log := m.catalog.logs[name]; log != nil {
			m.catalog.forget(log)
		}
		m.catalog.bury(name)
	}
	return nil
}

func (m *memory) Names(context.Context) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire()
	return m.catalog.names(), nil
}

func (m *memory) Delete(_ context.Context, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if log := m.catalog.logs[name]; log != nil {
		m.catalog.forget(log)
	}
	return nil
}

// Ping fails if the reserve is used up.
func (m *memory) Ping(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire()
	if m.catalog.full() {
		return &Failure{because: "it is full", Err: ErrFull}
	}
	return nil
}

func (m *memory) Stats() Stats {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Stats{Bytes: m.catalog.total(), MaxBytes: m.catalog.options.MaxBytes, Damaged: m.damages.count()}
}

func (m *memory) Close() error { return nil }

// expire forgets logs that are too old. The caller holds the lock.
func (m *memory) expire() {
	m.catalog.advance(m.clock.now())
	for _, log := range m.catalog.expired(maxForgotten) {
		m.catalog.forget(log)
	}
}
