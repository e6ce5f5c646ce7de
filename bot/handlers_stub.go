package bot

// Removed as the handlers are written.

import "context"

func unknownCommand(string) Text { return nil }
func usage(Command) Text         { return nil }

func (h *Host) play(context.Context, Request) Reply      { return Reply{} }
func (h *Host) try(context.Context, Request) Reply       { return Reply{} }
func (h *Host) exchange(context.Context, Request) Reply  { return Reply{} }
func (h *Host) pass(context.Context, Request) Reply      { return Reply{} }
func (h *Host) challenge(context.Context, Request) Reply { return Reply{} }
func (h *Host) rack(context.Context, Request) Reply      { return Reply{} }
func (h *Host) board(context.Context, Request) Reply     { return Reply{} }
func (h *Host) unseen(context.Context, Request) Reply    { return Reply{} }
func (h *Host) check(context.Context, Request) Reply     { return Reply{} }
func (h *Host) new(context.Context, Request) Reply       { return Reply{} }
func (h *Host) join(context.Context, Request) Reply      { return Reply{} }
func (h *Host) leave(context.Context, Request) Reply     { return Reply{} }
func (h *Host) start(context.Context, Request) Reply     { return Reply{} }
func (h *Host) resign(context.Context, Request) Reply    { return Reply{} }
func (h *Host) end(context.Context, Request) Reply       { return Reply{} }
func (h *Host) history(context.Context, Request) Reply   { return Reply{} }
func (h *Host) export(context.Context, Request) Reply    { return Reply{} }
func (h *Host) help(context.Context, Request) Reply      { return Reply{} }
