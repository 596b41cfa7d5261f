package app

import (
	"strconv"
	"sync"
)

// noticeBoard holds what a person must know until they put it away. Safe to
// call together.
type noticeBoard struct {
	mu   sync.Mutex
	next int
	list []Notice
}

// maxNotices bounds the board; the oldest go first.
const maxNotices = 50

func newNoticeBoard() *noticeBoard { return &noticeBoard{} }

func (n *noticeBoard) add(level, text, hint string) {
	text = clip(text, maxLine)
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, old := range n.list {
		if old.Text == text {
			return
		}
	}
	n.next++
	n.list = append(n.list, Notice{ID: strconv.Itoa(n.next), Level: level, Text: text, Hint: hint})
	if len(n.list) > maxNotices {
		n.list = n.list[1:]
	}
}

func (n *noticeBoard) all() []Notice {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]Notice{}, n.list...)
}

func (n *noticeBoard) dismiss(id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for i, x := range n.list {
		if x.ID == id {
			n.list = append(n.list[:i:i], n.list[i+1:]...)
			return
		}
	}
}
