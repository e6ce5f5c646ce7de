package slacktest

import (
	"encoding/json"
	"fmt"
)

// A Step is the state of a workflow step.
type Step struct {
	Done    bool
	Error   string
	Outputs map[string]string
	token   string
}

// Share posts a message with links to the app's domain, and notifies the app. It returns
// the message's ts.
func (s *people) Share(user, channel string, addresses ...string) (ts string, err error) {
	s.mu.Lock()
	ts = s.newTS()
	m := &Message{Channel: channel, TS: ts, User: "", Text: fmt.Sprint(addresses)}
	s.channels[channel].messages = append(s.channels[channel].messages, m)
	id := fmt.Sprintf("U%d", s.next())
	s.links[ts], s.links[id] = m, m
	s.mu.Unlock()
	var links []any
	for _, a := range addresses {
		links = append(links, map[string]any{"domain": "play.example.org", "url": a})
	}
	return ts, s.wire.event(map[string]any{
		"type": "link_shared", "channel": channel, "user": user, "message_ts": ts, "is_bot_user_member": true,
		"links": links, "unfurl_id": id, "source": "conversations_history", "event_ts": ts,
	})
}

// unfurl handles unfurls, for a message or an event's id. Each must be for a link in the
// message, and have blocks.
func (s flowMethods) unfurl(p params) (map[string]any, string) {
	m := s.links[p["ts"]]
	if p["unfurl_id"] != "" {
		m = s.links[p["unfurl_id"]]
	}
	if m == nil || p["unfurl_id"] == "" && p["channel"] != m.Channel {
		return nil, "cannot_find_message"
	}
	var all map[string]struct {
		Blocks []map[string]any `json:"blocks"`
	}
	if err := json.Unmarshal([]byte(p["unfurls"]), &all); err != nil {
		s.complain("chat.unfurl: %v", err)
		return nil, "invalid_arguments"
	}
	m.Unfurls = map[string][]map[string]any{}
	for address, one := range all {
		c := s.checker()
		c.blocks("message", one.Blocks)
		for _, wrong := range c.wrong {
			s.complain("chat.unfurl: %s", wrong)
		}
		if len(c.wrong) > 0 || len(one.Blocks) == 0 {
			return nil, "invalid_blocks"
		}
		m.Unfurls[address] = one.Blocks
	}
	return map[string]any{}, ""
}

// RunStep runs a workflow step, and returns the id of its execution.
func (s *people) RunStep(callback string, inputs map[string]any) (execution string, err error) {
	s.mu.Lock()
	execution = fmt.Sprintf("Fx%d", s.next())
	token := "xwfp-" + execution
	s.tokens[token] = true
	s.steps[execution] = &Step{token: token}
	s.mu.Unlock()
	return execution, s.wire.event(map[string]any{
		"type": "function_executed", "function_execution_id": execution, "workflow_execution_id": "Wx1", "event_ts": "1.0",
		"function": map[string]any{"id": "Fn1", "callback_id": callback, "title": callback, "type": "app", "app_id": App, "input_parameters": []any{}, "output_parameters": []any{}},
		"inputs":   inputs, "bot_access_token": token,
	})
}

// Step returns the state of a step.
func (s *people) Step(execution string) Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *s.steps[execution]
}

func (s flowMethods) completeSuccess(p params) (map[string]any, string) {
	return s.complete(p, func(step *Step) bool { return json.Unmarshal([]byte(p["outputs"]), &step.Outputs) == nil })
}

func (s flowMethods) completeError(p params) (map[string]any, string) {
	return s.complete(p, func(step *Step) bool { step.Error = p["error"]; return true })
}

func (s flowMethods) complete(p params, how func(*Step) bool) (map[string]any, string) {
	step := s.steps[p["function_execution_id"]]
	switch {
	case step == nil:
		return nil, "function_execution_not_found"
	case step.Done:
		s.complain("a step is completed twice")
	}
	step.Done = true
	if !how(step) {
		return nil, "invalid_arguments"
	}
	return map[string]any{}, ""
}
