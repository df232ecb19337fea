package cryptvfs

import (
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"golang.org/x/crypto/chacha20poly1305"
)

// KeySize is the size of a key in bytes.
const KeySize = 32

// Key is the key of a database. It must be random: derive it from a passphrase elsewhere, or better wrap it with one.
type Key [KeySize]byte

// NewKey returns a random key.
func NewKey() Key {
	var k Key
	_, _ = rand.Read(k[:]) // never fails, see its documentation
	return k
}

// ErrKey means that a key is not that of the database.
var ErrKey = errors.New("the key does not fit the database")

// Reserve is the number of bytes at the end of each page: the tag, random bytes for the nonce, and in the log the epoch of the transaction
// before.
const (
	tagSize    = chacha20poly1305.Overhead
	randomSize = 16
	linkSize   = 8
	Reserve    = tagSize + randomSize + linkSize
)

// sealer encrypts the pages of one database. It may be used concurrently.
type sealer struct {
	aead cipher.AEAD
	salt [saltSize]byte
}

func newSealer(key Key, salt [saltSize]byte) (*sealer, error) {
	page, err := hkdf.Key(sha256.New, key[:], salt[:], "cryptvfs page", chacha20poly1305.KeySize)
	if err != nil {
		return nil, err
	}
	aead, err := chacha20poly1305.NewX(page)
	return &sealer{aead: aead, salt: salt}, err
}

// kind is a kind of file that holds pages.
type kind byte

const (
	kindDatabase kind = 'd'
	kindLog      kind = 'w'
	kindJournal  kind = 'j'
	kindNode     kind = 'n' // of the tree, in the file of the database
)

// place is where a page is: what is authenticated with it.
type place struct {
	kind  kind
	page  uint64 // its number, from 1; in a journal its offset
	frame frame  // around it, in the log; its link is the generation of a root
}

// additional returns the data that is authenticated with a page.
func (s *sealer) additional(buffer []byte, p *place) []byte {
	data := append(buffer[:0], byte(p.kind))
	data = append(data, s.salt[:]...)
	data = binary.BigEndian.AppendUint64(data, p.page)
	if p.kind == kindLog || p.kind == kindNode {
		data = p.frame.append(data)
	}
	return data
}

// seal encrypts a page into to, which has its size and does not overlap it.
func (s *sealer) seal(to, page []byte, p *place) {
	body := len(page) - Reserve
	random := to[body+tagSize : body+tagSize+randomSize]
	_, _ = rand.Read(random)
	binary.BigEndian.PutUint64(to[len(to)-linkSize:], p.frame.link)
	n := nonce(random, p.kind)
	var buffer [additionalSize]byte
	s.aead.Seal(to[:0], n[:], page[:body], s.additional(buffer[:], p))
}

// open decrypts a page in place, and sets the link of its frame. The reserved bytes become zero.
func (s *sealer) open(page []byte, p *place) error {
	body := len(page) - Reserve
	n := nonce(page[body+tagSize:body+tagSize+randomSize], p.kind)
	link := linkOf(page)
	if p.kind == kindLog {
		p.frame.link = link
	} else if p.frame.link != link {
		return ErrPage
	}
	var buffer [additionalSize]byte
	if _, err := s.aead.Open(page[:0], n[:], page[:body+tagSize], s.additional(buffer[:], p)); err != nil {
		return ErrPage
	}
	clear(page[body:])
	return nil
}

// linkOf returns the last bytes of an encrypted page.
func linkOf(page []byte) uint64 { return binary.BigEndian.Uint64(page[len(page)-linkSize:]) }

// additionalSize is room for what is authenticated with a page.
const additionalSize = 1 + saltSize + 8 + frameSize

// nonce returns the nonce of a page: random bytes, and the kind of file. The rest is zero.
func nonce(random []byte, k kind) (n [chacha20poly1305.NonceSizeX]byte) {
	copy(n[:], random)
	n[randomSize] = byte(k)
	return n
}
