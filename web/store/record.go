package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// A driver keeps an entry as a record:
//
//	1 byte    recordMark
//	4 bytes   Checksum of the log's name, the entry's number and the entry
//	          the entry
//
// The checksum detects changed bytes, and a record in the wrong place. It does not stop anybody from forging a
// record.
const (
	recordMark   = 2
	recordHeader = 1 + crc32.Size
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Seal returns the record of a log's entry with n entries before it.
func Seal(log string, n int, entry []byte) []byte {
	record := make([]byte, recordHeader, recordHeader+len(entry))
	record[0] = recordMark
	binary.BigEndian.PutUint32(record[1:], Checksum(log, n, entry))
	return append(record, entry...)
}

var errChecksum = errors.New("the checksum does not match")

// unseal returns the entry of a record. The two share their bytes.
func unseal(log string, n int, record []byte) ([]byte, error) {
	if len(record) < recordHeader || record[0] != recordMark {
		return nil, errChecksum
	}
	entry := record[recordHeader:]
	if binary.BigEndian.Uint32(record[1:]) != Checksum(log, n, entry) {
		return nil, errChecksum
	}
	return entry, nil
}

// Checksum returns the CRC-32C of a log's name, a number (8 bytes, little-endian) and some bytes.
func Checksum(log string, n int, bytes []byte) uint32 {
	sum := ^uint32(0) // byte by byte, without an allocation
	add := func(b byte) { sum = castagnoli[byte(sum)^b] ^ sum>>8 }
	for i := range len(log) {
		add(log[i])
	}
	for shift := 0; shift < 64; shift += 8 {
		add(byte(uint64(n) >> shift))
	}
	return crc32.Update(^sum, castagnoli, bytes)
}

// damaged returns ErrDamaged for a log's entry with n entries before it.
func damaged(log string, n int, why error) error {
	return fmt.Errorf("%w: entry %d of %s: %w", ErrDamaged, n+1, log, why)
}
