package present

import (
	"testing"

	courseview "lockstep/views/course"
)

// The question stands above the answers, and the rest of the text before it.
func TestTheLastSentenceAsks(t *testing.T) {
	for _, c := range []struct{ text, says, asks string }{
		{"<p>C2 reads.</p>\n<p>Its <code>DEL</code> is in flight. What happens?</p>\n", "<p>C2 reads.</p>\n<p>Its <code>DEL</code> is in flight.</p>\n", "What happens?"},
		{"<p>C2 reads.</p>\n<p>What <em>then</em>?</p>\n", "<p>C2 reads.</p>\n", "What <em>then</em>?"},
		{"<p>What then?</p>\n", "", "What then?"},
		{"<p>它读到 <code>1011</code>。<code>DEL</code> 还在途中。到达时会怎样？</p>\n", "<p>它读到 <code>1011</code>。<code>DEL</code> 还在途中。</p>\n", "到达时会怎样？"},
		{"<p>“你是谁？”它问。谁有锁？</p>\n", "<p>“你是谁？”它问。</p>\n", "谁有锁？"},
		{"<p>It says &quot;equal.&quot; Who holds it?</p>\n", "<p>It says &quot;equal.&quot;</p>\n", "Who holds it?"},
		{"<p>Two ask. <strong>Who wins? And who</strong> waits?</p>\n", "<p>Two ask.</p>\n", "<strong>Who wins? And who</strong> waits?"},
		{"<p>The reply is 1.5 s late. Why?</p>\n", "<p>The reply is 1.5 s late.</p>\n", "Why?"},
		{"<p>Now C3 comes.</p>\n", "<p>Now C3 comes.</p>\n", ""},
		{"<p>What then?</p>\n<ul>\n<li>this</li>\n</ul>\n", "<p>What then?</p>\n<ul>\n<li>this</li>\n</ul>\n", ""},
		{"<p>Not <em>now?</em></p>\n", "<p>Not <em>now?</em></p>\n", ""},
		{"", "", ""},
	} {
		if says, question := asks(courseview.Text{Say: c.text}); says.Say != c.says || question.Say != c.asks {
			t.Errorf("%q\nsays %q\nasks %q\nnot  %q\nand  %q", c.text, says.Say, question.Say, c.says, c.asks)
		}
	}
}
