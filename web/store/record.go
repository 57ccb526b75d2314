package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
)

// Every kind of store keeps an entry as a record:
//
//	1 byte    recordEdition
//	4 bytes   CRC-32C of the log's name, the entry's number (8 bytes, little-endian) and the entry
//	          the entry
//
// The checksum detects changed bytes, and a record in the wrong place. It does not stop
// anybody from forging a record.
//
// The first edition kept bare entries, all of them JSON objects. unseal accepts such a
// record: it begins with a brace and is valid JSON.
const (
	recordEdition = 2 // no JSON text begins with this byte
	recordHeader  = 1 + crc32.Size
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal returns the record of a log's entry with n entries before it.
func seal(log string, n int, entry []byte) []byte {
	record := make([]byte, recordHeader, recordHeader+len(entry))
	record[0] = recordEdition
	binary.BigEndian.PutUint32(record[1:], checksum(log, n, entry))
	return append(record, entry...)
}

// unseal returns the entry of a record, or ErrDamaged. The two share their bytes.
func unseal(log string, n int, record []byte) ([]byte, error) {
	if len(record) >= recordHeader && record[0] == recordEdition {
		entry := record[recordHeader:]
		if binary.BigEndian.Uint32(record[1:]) == checksum(log, n, entry) {
			return entry, nil
		}
	} else if len(record) > 0 && record[0] == '{' && json.Valid(record) {
		return record, nil
	}
	return nil, damaged(log, n, errChecksum)
}

func checksum(log string, n int, entry []byte) uint32 {
	sum := ^uint32(0) // byte by byte, without an allocation
	add := func(b byte) { sum = castagnoli[byte(sum)^b] ^ sum>>8 }
	for i := range len(log) {
		add(log[i])
	}
	for shift := 0; shift < 64; shift += 8 {
		add(byte(uint64(n) >> shift))
	}
	return crc32.Update(^sum, castagnoli, entry)
}

// damaged returns ErrDamaged for a log's entry with n entries before it.
func damaged(log string, n int, why error) error {
	return fmt.Errorf("%w: entry %d of %s: %w", ErrDamaged, n+1, log, why)
}

var (
	errChecksum  = errors.New("the checksum does not match")
	errNotThere  = errors.New("the record is missing")
	errOtherwise = errors.New("the table of logs has changed")
	errTwice     = errors.New("two logs have this name")
	errNoRow     = errors.New("the table of logs does not have its log")
	errBeyond    = errors.New("the table of logs does not have this entry")
)
