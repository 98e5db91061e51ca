package replay

import (
	"github.com/acptool/acptool/wire"
)

type demo struct{}

func (d *demo) choose(a *Agent, params []byte)                   {}
func (d *demo) request(a *Agent, sc *scene, m wire.Message) bool { return false }
func (d *demo) among(fit []*scene, session string) []*scene      { return fit }
func (d *demo) knows(session string) bool                        { return false }
func (d *demo) sending(r *run, it item, raw []byte) []byte       { return raw }
func (d *demo) branch(r *run, asked *Frame, m wire.Message)      {}
