package store

import (
	"bytes"
	"container/list"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

type memory struct {
	alone
	options Options

	mu    sync.Mutex
	logs  map[string]*memoryLog
	order list.List // of *memoryLog, the one that nobody has added to for the longest time first
	bytes int64     // of all entries
}

type memoryLog struct {
	name    string
	entries [][]byte
	bytes   int64
	added   time.Time
	place   *list.Element // in order; nil: it is not kept yet
}

// Memory returns a store that forgets everything when the process ends.
func Memory(o Options) Store {
	return &memory{options: o.withDefaults(10_000), logs: map[string]*memoryLog{}}
}

func (m *memory) Append(ctx context.Context, name string, n int, entry []byte) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("append to %s: %w", name, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire()
	log := m.logs[name]
	if log == nil {
		log = &memoryLog{name: name}
	}
	if err := compare(len(log.entries), n); err != nil {
		return err
	}
	size := int64(len(entry))
	if log.bytes+size > m.options.MaxBytes {
		return fmt.Errorf("append to %s: the log would have more than %d bytes, which is the most that all logs may have", name, m.options.MaxBytes)
	}
	if log.place == nil {
		m.logs[name], log.place = log, m.order.PushBack(log)
	}
	m.order.MoveToBack(log.place)
	log.entries = append(log.entries, bytes.Clone(entry))
	log.bytes += size
	log.added = time.Now()
	m.bytes += size
	for m.order.Len() > m.options.MaxLogs || m.bytes > m.options.MaxBytes {
		m.forget(m.order.Front().Value.(*memoryLog))
	}
	return nil
}

func (m *memory) Read(ctx context.Context, name string, n int) ([][]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.expire()
	var entries [][]byte
	if log := m.logs[name]; log != nil {
		entries = log.entries
	}
	if n > len(entries) {
		return nil, ErrLost
	}
	return slices.Clip(entries[n:]), nil // what is added later stands behind them
}

func (m *memory) Delete(_ context.Context, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if log := m.logs[name]; log != nil {
		m.forget(log)
	}
	return nil
}

func (m *memory) Ping(context.Context) error { return nil }
func (m *memory) Close() error               { return nil }

// expire forgets the logs that nobody has added to for too long.
func (m *memory) expire() {
	for first := m.order.Front(); first != nil; first = m.order.Front() {
		log := first.Value.(*memoryLog)
		if time.Since(log.added) <= m.options.Keep {
			return
		}
		m.forget(log)
	}
}

func (m *memory) forget(log *memoryLog) {
	m.order.Remove(log.place)
	m.bytes -= log.bytes
	delete(m.logs, log.name)
}
