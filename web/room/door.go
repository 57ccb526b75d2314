package room

// The verbs of the door.
const (
	VerbOpen   Verb = "open"   // Code, Name, Run, Task, Key, Site: the first entry
	VerbPair   Verb = "pair"   // Key, Revoked: a remote, which is one more key of the presenter's, by a link made after that many revocations
	VerbRevoke Verb = "revoke" // Key: the presenter's that asks; remotes other than it, and links that nobody has used, are good no more
)

var doorVerbs = []verb{
	{name: VerbOpen, who: nobody, possible: canOpen, apply: open},
	{
		name: VerbPair, who: onlyPresenter,
		possible: canPair,
		apply:    func(r *Room, e Entry) { r.keys[e.Key] = Who{Presenter: true} },
	},
	{
		name: VerbRevoke, who: onlyPresenter,
		possible: func(r *Room, e Entry) error { return formed(r.keys[e.Key].Presenter) },
		apply:    func(r *Room, e Entry) { r.revoke(e.Key) },
		last:     calms,
	},
}

// A door knows the room's address and who enters by which key.
type door struct {
	code    string
	site    string
	keys    map[string]Who  // by hash
	lost    map[string]Verb // by hash: the verb that took a key's power, remove or revoke
	opener  string          // the hash of the key with which the room was opened
	revoked int             // how often remotes were revoked
}

// Code returns the room's code; "": nobody has opened it.
func (d *door) Code() string { return d.code }

// Site returns the address at which the presenter reached the site when they opened the room; "": unknown.
func (d *door) Site() string { return d.site }

// Revoked counts how often the presenter has revoked remotes. A link that pairs a remote is valid while the count is
// the one with which it was made.
func (d *door) Revoked() int { return d.revoked }

// Who returns the person with a key, by the key's hash.
func (d *door) Who(keyHash string) (Who, bool) {
	who, ok := d.keys[keyHash]
	return who, ok
}

// Knows reports whether a key with this hash is or was somebody's.
func (d *door) Knows(keyHash string) bool {
	_, known := d.keys[keyHash]
	return known || d.lost[keyHash] != ""
}

// Lost returns the verb that took the power of the key with this hash: VerbRemove for a seat's, VerbRevoke for a
// remote's, "" for a key that is good or unknown. The server tells the bearer why the key stopped working.
func (d *door) Lost(keyHash string) Verb { return d.lost[keyHash] }

// revoke takes the power of all the presenter's keys but two: the key that asks, and the key that opened the room. A
// remote in the wrong hands cannot take the room from its presenter.
func (d *door) revoke(by string) {
	d.revoked++
	for hash, who := range d.keys {
		if who.Presenter && hash != by && hash != d.opener {
			d.lose(hash, VerbRevoke)
		}
	}
}

// lose takes the power of a key.
func (d *door) lose(hash string, to Verb) {
	delete(d.keys, hash)
	d.lost[hash] = to
}

// remotes counts the presenter's keys beside the one that opened the room.
func (d *door) remotes() int {
	remotes := -1
	for _, who := range d.keys {
		if who.Presenter {
			remotes++
		}
	}
	return remotes
}

// canKey refuses a malformed key and a key that is in use.
func (d *door) canKey(hash string) error {
	if !isHash(hash) {
		return ErrMalformed
	}
	if d.Knows(hash) {
		return ErrKey
	}
	return nil
}

func canOpen(_ *Room, e Entry) error {
	return formed(isCode(e.Code) && isHash(e.Key) && isShort(e.Run, maxID) && e.Name >= 0 && (e.Site == "" || isShort(e.Site, maxSite)))
}

func open(r *Room, e Entry) {
	r.door = door{code: e.Code, site: e.Site, keys: map[string]Who{e.Key: {Presenter: true}}, lost: map[string]Verb{}, opener: e.Key}
	r.name, r.run, r.base, r.cursor = e.Name, e.Run, e.Run, End
	r.keepShown(e.Run, e.Task, "")
}

func canPair(r *Room, e Entry) error {
	if err := r.canKey(e.Key); err != nil {
		return err
	}
	switch {
	case e.Revoked != r.revoked:
		return ErrRevoked
	case 1+r.remotes() >= MaxKeys:
		return ErrKeys
	}
	return nil
}
