package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
)

// A record is how every kind of store holds an entry:
//
//	1 byte    recordEdition
//	4 bytes   CRC-32C of the log's name, the entry's number and the entry
//	          the entry
//
// The checksum finds bytes that have changed, and an entry that stands in another
// place than the one it was added at. It does not protect from anybody who wants to
// forge a record.
//
// The first edition held entries as they are: JSON objects, all of them. A record
// that begins with a brace is one of those, if it still is valid JSON.
const (
	recordEdition = 2 // no JSON text begins with this byte
	recordHeader  = 1 + crc32.Size
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// seal makes the record of the entry that follows the first n of a log.
func seal(log string, n int, entry []byte) []byte {
	record := make([]byte, recordHeader, recordHeader+len(entry))
	record[0] = recordEdition
	binary.BigEndian.PutUint32(record[1:], checksum(log, n, entry))
	return append(record, entry...)
}

// unseal returns the entry of a record, which is a part of it, or ErrDamaged.
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
	sum := ^uint32(0) // byte by byte, which takes no memory
	add := func(b byte) { sum = castagnoli[byte(sum)^b] ^ sum>>8 }
	for i := range len(log) {
		add(log[i])
	}
	for shift := 0; shift < 64; shift += 8 {
		add(byte(uint64(n) >> shift))
	}
	return crc32.Update(^sum, castagnoli, entry)
}

// damaged is ErrDamaged for the entry that follows the first n of a log.
func damaged(log string, n int, why error) error {
	return fmt.Errorf("%w: entry %d of %s: %w", ErrDamaged, n+1, log, why)
}

var (
	errChecksum  = errors.New("its checksum does not match")
	errNotThere  = errors.New("it is not there")
	errOtherwise = errors.New("the table of logs says otherwise")
	errTwice     = errors.New("there are two logs of this name")
)
