package monitor

import (
	"lockstep/engine"
	"lockstep/engine/lang"
)

// head returns the comments at the top.
func (p *nodesWriter) head() []lang.Text {
	all := []lang.Text{lang.Format("Imported from the logs of %d nodes. Each lane is a token, which its label tells after the address.", "导入自 %d 个节点的日志。每个令牌一条泳道，标签里先写地址，再写令牌。", len(p.Logs))}
	for n, log := range p.Logs {
		t := lang.Format("redis%d is node %s.", "redis%d 是节点 %s。", n+1, log.Name)
		if ahead := p.detector.Ahead(n); ahead != 0 {
			t = joined(t, lang.Format("Its clock is taken to be %s ahead of that of node %s.", "它的时钟按比节点 %[2]s 快 %[1]s 计。", lasting(ahead), p.Logs[0].Name))
			if ahead < 0 {
				t = lang.Format("redis%d is node %s. Its clock is taken to be %s behind that of node %s.", "redis%d 是节点 %s。它的时钟按比节点 %[4]s 慢 %[3]s 计。", n+1, log.Name, lasting(-ahead), p.Logs[0].Name)
			}
		}
		all = append(all, t)
	}
	all = append(all, lang.Format("The lock is %s. enter and leave are guesses: from the grant that makes a majority until the first release.", "锁是 %s。enter 和 leave 是推测：从得到多数到第一次释放为止。", quoted(p.named())),
		lang.Both("The replies are computed anew, from empty nodes. A request stands as SET with NX, a release by a script as compare-and-delete, and a renewal as PEXPIRE, as far as they succeeded.", "回复是从空的节点开始重新算出来的。请求写成带 NX 的 SET，脚本的释放写成 compare-and-delete，成功的续期写成 PEXPIRE。"))
	if p.unlike > 0 {
		all = append(all, lang.Format("Left out: requests of which no log shows that they were granted, where the run would grant them (%d): they met what is from before the scenario.", "略去：日志看不出得到了锁、而运行会给它锁的 %d 次请求：它们遇到的是场景之前留下的键。", p.unlike))
	}
	if p.left > 0 {
		all = append(all, lang.Format("Left out: commands of further lanes, and those that the run refuses (%d). A run has at most %d lanes.", "略去：其余泳道的命令，以及运行不接受的命令（%d 条）。一次运行至多有 %d 条泳道。", p.left, engine.MaxClients))
	}
	if p.full || len(p.steps) >= mostSteps {
		all = append(all, lang.Format("A scenario of several nodes has at most %d commands: the rest is left out.", "多个节点的场景至多有 %d 条命令，其余略去。", mostSteps))
	}
	return all
}
