package present

import "testing"

func TestNoLineEndsWithinAUnitOrCommand(t *testing.T) {
	for _, c := range []struct{ html, want string }{
		{`<p>1 s pass: it is 1013.</p>`, "<p>1\u00a0s pass: it is 1013.</p>"},
		{`<p>2 ticks of 12 s, 1 server, 2 steps, 3 sMs, 2 KB</p>`, "<p>2 ticks of 12\u00a0s, 1 server, 2 steps, 3 sMs, 2\u00a0KB</p>"},
		{" 1 s", " 1\u00a0s"},
		{`<p>过了 12 秒，不到 1 毫秒</p>`, "<p>过了 12\u00a0秒，不到 1\u00a0毫秒</p>"},
		{`<p title="12 s">now</p>`, `<p title="12 s">now</p>`},
		{`<script type="application/json">{"a":"12 s"}</script><p><code lang="en">12 s</code> 4 s</p>`,
			`<script type="application/json">{"a":"12 s"}</script><p><code lang="en">12 s</code> 4` + "\u00a0s</p>"},
		{`<code>a <i class="comment"># 12 s</i> 3 s</code>`, `<code>a <i class="comment"># 12 s</i> 3 s</code>`},
		{`<script>a < 12 s</script> 4 s, a <`, `<script>a < 12 s</script> 4` + "\u00a0s, a <"},
		{`<p>its <code>SETNX lock.foo 1023</code>, <code>DEL</code>, <code>now = c.now()</code></p><pre><code>DEL lock.foo</code></pre>`,
			`<p>its <code class="whole">SETNX lock.foo 1023</code>, <code>DEL</code>, <code>now = c.now()</code></p><pre><code>DEL lock.foo</code></pre>`},
		{`<code translate="no">GET a</code><code>SET resource:lock token NX PX 30000</code>`, `<code translate="no" class="whole">GET a</code><code>SET resource:lock token NX PX 30000</code>`},
		{`<textarea># 12 s, a > b, 3 s</textarea>`, `<textarea># 12 s, a > b, 3 s</textarea>`},
	} {
		if got := string(unbroken([]byte(c.html))); got != c.want {
			t.Errorf("%s becomes %s, want %s", c.html, got, c.want)
		}
	}
}
