package contest

import "math"

// leastWeight returns the perfect matching of n vertices with the least sum of costs, as
// mate[i] for each i. n must be even, and costs non-negative and symmetric.
//
// It uses Edmonds' algorithm for matchings of greatest weight in its primal-dual form (J.
// Edmonds, "Maximum matching and a polyhedron with 0,1-vertices", 1965; Z. Galil,
// "Efficient algorithms for finding maximum matching in graphs", 1986), in O(n³). The
// weight of an edge is based on the greatest cost minus its own. All weights are positive
// and every two vertices have an edge, so the matching of greatest weight is perfect.
func leastWeight(n int, cost func(i, j int) int64) []int {
	if n == 0 {
		return nil
	}
	m := newMatcher(n, cost)
	for m.phase() {
	}
	mate := make([]int, n)
	for v := range mate {
		mate[v] = m.mate[v+1] - 1
	}
	return mate
}

// A matcher holds a graph with vertices 1 to n and blossoms above n. A blossom is an odd
// cycle of vertices and blossoms that is treated as one vertex; its base is the member that
// is matched outside the blossom.
type matcher struct {
	n, top int       // number of vertices; highest blossom in use
	edges  [][]edge  // between outermost vertices and blossoms: the tightest edge of the graph
	dual   []int64   // of vertices and blossoms
	mate   []int     // the vertex matched with, 0 for none
	near   []int     // the tree vertex whose edge to a free vertex has the least slack
	outer  []int     // the outermost blossom that contains it, or itself
	parent []int     // in the tree of alternating paths: the vertex from which an odd one was reached
	label  []label   // place in the tree
	seen   []int     // time of the last pass in the search for a common ancestor
	now    int       // current time for seen
	child  [][]int   // members of a blossom in the order of the cycle, base first
	via    [][]int32 // via[b][v]: the child of blossom b that contains vertex v, 0 for none
	queue  []int     // even vertices whose edges haven't been examined
}

// An edge stores its two vertices, which may lie in blossoms.
type edge struct {
	u, v   int32
	weight int64 // 0 for no edge
}

// A label is the position of a vertex or blossom in the tree of alternating paths.
type label int8

const (
	free label = iota - 1
	even
	odd
)

func newMatcher(n int, cost func(i, j int) int64) *matcher {
	size := n + n/2 + 2
	m := &matcher{
		n: n, top: n,
		edges: make([][]edge, size), dual: make([]int64, size), mate: make([]int, size), near: make([]int, size),
		outer: make([]int, size), parent: make([]int, size), label: make([]label, size), seen: make([]int, size),
		child: make([][]int, size), via: make([][]int32, size),
	}
	var most int64
	for u := range n {
		for v := range u {
			most = max(most, cost(u, v))
		}
	}
	for u := range m.edges {
		m.edges[u] = make([]edge, size)
		for v := range m.edges[u] {
			m.edges[u][v] = edge{u: int32(u), v: int32(v)}
		}
		m.via[u] = make([]int32, n+1)
	}
	for u := 1; u <= n; u++ {
		m.outer[u], m.via[u][u], m.dual[u] = u, int32(u), most+1
		for v := 1; v <= n; v++ {
			if u != v {
				m.edges[u][v].weight = most + 1 - cost(u-1, v-1)
			}
		}
	}
	return m
}

// slack returns how far an edge is from being tight. Weights are doubled to avoid halves.
func (m *matcher) slack(e edge) int64 {
	return m.dual[e.u] + m.dual[e.v] - 2*m.edges[e.u][e.v].weight
}

// closer makes u the near vertex of x if its edge to x is tighter than the current one.
func (m *matcher) closer(u, x int) {
	if m.near[x] == 0 || m.slack(m.edges[u][x]) < m.slack(m.edges[m.near[x]][x]) {
		m.near[x] = u
	}
}

func (m *matcher) findNear(x int) {
	m.near[x] = 0
	for u := 1; u <= m.n; u++ {
		if m.edges[u][x].weight > 0 && m.outer[u] != x && m.label[m.outer[u]] == even {
			m.closer(u, x)
		}
	}
}

// enqueue adds all vertices in x to the queue.
func (m *matcher) enqueue(x int) {
	if x <= m.n {
		m.queue = append(m.queue, x)
		return
	}
	for _, y := range m.child[x] {
		m.enqueue(y)
	}
}

func (m *matcher) setOuter(x, b int) {
	m.outer[x] = b
	if x > m.n {
		for _, y := range m.child[x] {
			m.setOuter(y, b)
		}
	}
}

// walk orients the cycle of blossom b so that the path from its base to child x has an even
// number of edges, and returns the position of x.
func (m *matcher) walk(b, x int) int {
	at := 0
	for m.child[b][at] != x {
		at++
	}
	if at%2 == 0 {
		return at
	}
	cycle := m.child[b]
	for i, j := 1, len(cycle)-1; i < j; i, j = i+1, j-1 {
		cycle[i], cycle[j] = cycle[j], cycle[i]
	}
	return len(cycle) - at
}

// join matches u with v. If u is a blossom, it rematches its inside around the new base.
func (m *matcher) join(u, v int) {
	e := m.edges[u][v]
	m.mate[u] = int(e.v)
	if u <= m.n {
		return
	}
	base := int(m.via[u][e.u])
	at := m.walk(u, base)
	for i := range at {
		m.join(m.child[u][i], m.child[u][i^1])
	}
	m.join(base, v)
	m.child[u] = append(append([]int(nil), m.child[u][at:]...), m.child[u][:at]...)
}

// augment flips the path from u to the root of its tree, after matching u with v.
func (m *matcher) augment(u, v int) {
	for {
		next := m.outer[m.mate[u]]
		m.join(u, v)
		if next == 0 {
			return
		}
		up := m.outer[m.parent[next]]
		m.join(next, up)
		u, v = up, next
	}
}

// ancestor returns the common ancestor of u and v in their tree, or 0 if they are in
// different trees.
func (m *matcher) ancestor(u, v int) int {
	m.now++
	for u != 0 || v != 0 {
		if u != 0 {
			if m.seen[u] == m.now {
				return u
			}
			m.seen[u] = m.now
			if u = m.outer[m.mate[u]]; u != 0 {
				u = m.outer[m.parent[u]]
			}
		}
		u, v = v, u
	}
	return 0
}

// shrink contracts the cycle closed by an edge between the even u and v into a blossom.
func (m *matcher) shrink(u, base, v int) {
	b := m.n + 1
	for b <= m.top && m.outer[b] != 0 {
		b++
	}
	m.top = max(m.top, b)
	m.dual[b], m.label[b], m.mate[b] = 0, even, m.mate[base]
	m.child[b] = append(m.child[b][:0], base)
	arm := func(x int) {
		for x != base {
			y := m.outer[m.mate[x]]
			m.child[b] = append(m.child[b], x, y)
			m.enqueue(y)
			x = m.outer[m.parent[y]]
		}
	}
	arm(u)
	cycle := m.child[b]
	for i, j := 1, len(cycle)-1; i < j; i, j = i+1, j-1 {
		cycle[i], cycle[j] = cycle[j], cycle[i]
	}
	arm(v)
	m.setOuter(b, b)
	for x := 1; x <= m.top; x++ {
		m.edges[b][x].weight, m.edges[x][b].weight = 0, 0
	}
	clear(m.via[b])
	for _, c := range m.child[b] {
		for x := 1; x <= m.top; x++ {
			if m.edges[c][x].weight > 0 && (m.edges[b][x].weight == 0 || m.slack(m.edges[c][x]) < m.slack(m.edges[b][x])) {
				m.edges[b][x], m.edges[x][b] = m.edges[c][x], m.edges[x][c]
			}
		}
		for x := 1; x <= m.n; x++ {
			if m.via[c][x] != 0 {
				m.via[b][x] = int32(c)
			}
		}
	}
	m.findNear(b)
}

// expand dissolves an odd blossom whose dual is 0.
func (m *matcher) expand(b int) {
	for _, c := range m.child[b] {
		m.setOuter(c, c)
	}
	entry := int(m.via[b][m.edges[b][m.parent[b]].u])
	at := m.walk(b, entry)
	for i := 0; i < at; i += 2 {
		x, y := m.child[b][i], m.child[b][i+1]
		m.parent[x] = int(m.edges[y][x].u)
		m.label[x], m.label[y] = odd, even
		m.near[x] = 0
		m.findNear(y)
		m.enqueue(y)
	}
	m.label[entry], m.parent[entry] = odd, m.parent[b]
	for _, x := range m.child[b][at+1:] {
		m.label[x] = free
		m.findNear(x)
	}
	m.outer[b] = 0
}

// reach follows a tight edge from an even vertex. It reports whether that enlarged the
// matching.
func (m *matcher) reach(e edge) bool {
	u, v := m.outer[e.u], m.outer[e.v]
	switch m.label[v] {
	case free:
		m.parent[v], m.label[v] = int(e.u), odd
		w := m.outer[m.mate[v]]
		m.near[v], m.near[w] = 0, 0
		m.label[w] = even
		m.enqueue(w)
	case even:
		base := m.ancestor(u, v)
		if base == 0 {
			m.augment(u, v)
			m.augment(v, u)
			return true
		}
		m.shrink(u, base, v)
	}
	return false
}

// phase enlarges the matching by one edge. It reports whether that was possible.
func (m *matcher) phase() bool {
	m.queue = m.queue[:0]
	for x := range m.label {
		m.label[x], m.near[x] = free, 0
	}
	for x := 1; x <= m.top; x++ {
		if m.outer[x] == x && m.mate[x] == 0 {
			m.parent[x], m.label[x] = 0, even
			m.enqueue(x)
		}
	}
	if len(m.queue) == 0 {
		return false
	}
	for {
		for len(m.queue) > 0 {
			u := m.queue[0]
			m.queue = m.queue[1:]
			if m.label[m.outer[u]] == odd {
				continue
			}
			for v := 1; v <= m.n; v++ {
				if m.edges[u][v].weight == 0 || m.outer[u] == m.outer[v] {
					continue
				}
				if m.slack(m.edges[u][v]) > 0 {
					m.closer(u, m.outer[v])
				} else if m.reach(m.edges[u][v]) {
					return true
				}
			}
		}
		if !m.adjust() {
			return false
		}
		for x := 1; x <= m.top; x++ {
			if m.outer[x] == x && m.near[x] != 0 && m.outer[m.near[x]] != x && m.slack(m.edges[m.near[x]][x]) == 0 {
				if m.reach(m.edges[m.near[x]][x]) {
					return true
				}
			}
		}
		for b := m.n + 1; b <= m.top; b++ {
			if m.outer[b] == b && m.label[b] == odd && m.dual[b] == 0 {
				m.expand(b)
			}
		}
	}
}

// adjust changes the duals until an edge becomes tight or an odd blossom dissolves. It
// reports false if the dual of a vertex has reached 0, so that the matching is complete.
func (m *matcher) adjust() bool {
	d := int64(math.MaxInt64)
	for b := m.n + 1; b <= m.top; b++ {
		if m.outer[b] == b && m.label[b] == odd {
			d = min(d, m.dual[b]/2)
		}
	}
	for x := 1; x <= m.top; x++ {
		if m.outer[x] == x && m.near[x] != 0 {
			switch s := m.slack(m.edges[m.near[x]][x]); m.label[x] {
			case free:
				d = min(d, s)
			case even:
				d = min(d, s/2)
			}
		}
	}
	for v := 1; v <= m.n; v++ {
		switch m.label[m.outer[v]] {
		case even:
			if m.dual[v] <= d {
				return false
			}
			m.dual[v] -= d
		case odd:
			m.dual[v] += d
		}
	}
	for b := m.n + 1; b <= m.top; b++ {
		if m.outer[b] != b {
			continue
		}
		switch m.label[b] {
		case even:
			m.dual[b] += 2 * d
		case odd:
			m.dual[b] -= 2 * d
		}
	}
	return true
}
