package program

// graph checks the calls between functions: no cycles, and each phase does only
// what belongs to it.
func (c *checker) graph(w *written) {
	finished := make(map[*function]bool)
	for _, f := range c.ordered {
		c.acyclic(f, make(map[*function]bool), finished)
	}
	if w.holds != nil {
		if place, ok := reach(w.holds, func(f *function) []position { return f.commands }); ok {
			c.fail(place, "holds may only read the clock: a client knows what it believes without asking anybody",
				"holds 只能读时钟：客户端自认为怎样，不必问别人就知道")
		}
	}
	for _, f := range []*function{w.acquire, w.release, w.holds} {
		if f == nil {
			continue
		}
		if place, ok := reach(f, func(f *function) []position { return f.works }); ok {
			c.fail(place, "c.work() is the critical section: it belongs in work(c, lease), but %s reaches it",
				"c.work() 就是临界区：它应写在 work(c, lease) 里，而 %s 会走到这里", f.name)
		}
		if place, ok := reach(f, func(f *function) []position { return f.renewals }); ok {
			c.fail(place, "c.renew prolongs a lease that is held: it belongs in work(c, lease), but %s reaches it",
				"c.renew 延长正在持有的租约：它应写在 work(c, lease) 里，而 %s 会走到这里", f.name)
		}
	}
}

// acyclic refuses recursion, at the call that closes the cycle.
func (c *checker) acyclic(f *function, open, finished map[*function]bool) {
	if finished[f] {
		return
	}
	open[f] = true
	for _, call := range f.calls {
		if open[call.callee] {
			c.fail(call.position, "recursion is not allowed: %s is running already when %s calls it", "不允许递归：%s 还在运行，%s 又调用了它",
				call.callee.name, f.name)
		}
		c.acyclic(call.callee, open, finished)
	}
	delete(open, f)
	finished[f] = true
}

// reach finds the first thing of a kind that f does, itself or through the
// functions it calls.
func reach(f *function, kind func(*function) []position) (position, bool) {
	seen := map[*function]bool{f: true}
	for queue := []*function{f}; len(queue) > 0; queue = queue[1:] {
		if places := kind(queue[0]); len(places) > 0 {
			return places[0], true
		}
		for _, call := range queue[0].calls {
			if !seen[call.callee] {
				seen[call.callee] = true
				queue = append(queue, call.callee)
			}
		}
	}
	return position{}, false
}
