// Checks that the events of a finished game follow one another by the rules: whose turn it is, what
// a play scores, what ends the game and who wins. Like draws.js, it was written from proof.md and
// log.md alone. It doesn't know the word list, and takes from the events which words are valid.

/**
 * A Fault is the reason why a proof doesn't hold. what is "format", "commitment", "posted", "log",
 * "draw" or "score"; n is the number of the event; got and want are what the event says and what
 * must be, as text.
 */
export class Fault extends Error {
  /** @param {"format" | "commitment" | "posted" | "log" | "draw" | "score"} what @param {{ n?: number, got?: string, want?: string }} [details] */
  constructor(what, details = {}) {
    super(`${what} ${JSON.stringify(details)}`);
    this.what = what;
    Object.assign(this, details);
  }
}

/**
 * tokens splits tiles into the texts of single ones; a dot is a square without a new tile.
 * @param {string} [text] @returns {string[]}
 */
const tokens = (text = "") => (text.match(/\[[^\]]*\]|./gu) ?? []).map((t) => t.replace(/^\[(.*)\]$/u, "$1"));

/** @param {unknown} a @param {unknown} b */
const equal = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** duration returns milliseconds. @param {string} [text] */
function duration(text = "0s") {
  /** @type {Record<string, number>} */
  const units = { h: 3_600_000, m: 60_000, s: 1000, ms: 1, µs: 1e-3, ns: 1e-6 };
  let sum = 0;
  for (const [, n, unit] of text.matchAll(/([\d.]+)(ms|µs|ns|h|m|s)/g)) sum += Number(n) * units[unit];
  return text.startsWith("-") ? -sum : sum;
}

const [across, down] = [[0, 1], [1, 0]];

/** square parses "8H" (across) and "H8" (down). @param {string} text */
function square(text) {
  const [, row, col] = /^(\d+)[A-Z]+$/.test(text) ? /** @type {string[]} */ (/^(\d+)([A-Z])$/.exec(text)) : (/^([A-Z])(\d+)$/.exec(text) ?? []).map((part, i, all) => all[[0, 2, 1][i]]);
  return { row: Number(row) - 1, col: col.charCodeAt(0) - 65, dir: /^\d/.test(text) ? across : down };
}

/** @typedef {{ row: number, col: number }} At @typedef {{ row: number, col: number, dir: number[], tiles: string[], score: number }} Word */

/** step goes n squares in a direction. @param {At} at @param {number[]} dir @param {number} n */
const step = ({ row, col }, [rows, cols], n) => ({ row: row + n * rows, col: col + n * cols });

/** @param {number[]} dir */
const other = (dir) => (dir === across ? down : across);

/** A Board holds the tiles that lie on it. */
class Board {
  tiles = /** @type {Map<string, string>} */ (new Map());

  /** @param {At} at */
  get = ({ row, col }) => this.tiles.get(`${row} ${col}`) ?? "";
  /** @param {At} at @param {string} tile */
  put({ row, col }, tile) {
    if (tile) this.tiles.set(`${row} ${col}`, tile);
    else this.tiles.delete(`${row} ${col}`);
  }

  /** @param {string[]} [rows] */
  fill(rows = []) {
    rows.forEach((text, row) => tokens(text).forEach((tile, col) => tile !== "." && this.put({ row, col }, tile)));
  }

  /** run returns the tiles in a line through a square. @param {At} at @param {number[]} dir */
  run(at, dir) {
    let first = at;
    while (this.get(step(first, dir, -1))) first = step(first, dir, -1);
    const tiles = [];
    for (let n = 0; this.get(step(first, dir, n)); n++) tiles.push(this.get(step(first, dir, n)));
    return { ...first, dir, tiles };
  }

  /** words lists the runs of two tiles or more. */
  words() {
    const found = [];
    for (const key of this.tiles.keys()) {
      const [row, col] = key.split(" ").map(Number);
      for (const dir of [across, down]) {
        const run = this.run({ row, col }, dir);
        if (run.row === row && run.col === col && run.tiles.length > 1) found.push(run);
      }
    }
    return found;
  }

  /** parts counts the groups of adjacent tiles, and returns the size of one. */
  parts() {
    const left = new Set(this.tiles.keys());
    let count = 0, size = 0;
    for (const key of left) {
      count++;
      size = 0;
      const group = [key];
      left.delete(key);
      for (const one of group) {
        size++;
        const [row, col] = one.split(" ").map(Number);
        for (const next of [`${row - 1} ${col}`, `${row + 1} ${col}`, `${row} ${col - 1}`, `${row} ${col + 1}`]) {
          if (left.delete(next)) group.push(next);
        }
      }
    }
    return { count, size };
  }
}

/**
 * A Seat is a player's place. The draws keep its rack.
 * @typedef {{ id: string, rack: string[], score: number, out: boolean, vacant: boolean, lost: number, agreed: boolean, accepted: boolean, used: number, wrote?: { words: Word[], score: number, f: any, n: number } | null }} Seat
 * @typedef {{ seat: number, words: Word[], judged: string[], squares: At[], score: number, scoreless: number }} Latest
 */

/** Game follows the events of a game. bags and seats are those of the draws. */
export class Game {
  n = 0;
  phase = "lobby";
  turn = 0;
  scoreless = 0;
  passes = 0;
  turns = 0;
  late = false;
  stuck = false;
  open = false; // in duplicate: plays are taken
  until = "";
  due = ""; // kind of the event that must come next
  last = /** @type {any} */ ({});
  latest = /** @type {Latest | null} */ (null); // the play that can be challenged
  board = new Board();
  printed = new Board();
  values = /** @type {Map<string, number>} */ (new Map());
  rules = /** @type {any} */ ({});
  pace = /** @type {any} */ ({});
  layout = /** @type {string[][]} */ ([]);

  /** @param {{ seats: any[], bags: string[][], rack: string[] }} draws */
  constructor(draws) {
    this.draws = draws;
  }

  /** @returns {Seat[]} */
  get seats() { return this.draws.seats; }
  get bag() { return this.draws.bags.flat(); }
  get active() { return [...this.seats.keys()].filter((i) => !this.seats[i].out); }
  get shared() { return this.rules.variant === "duplicate"; }
  get clock() { return this.rules.clock?.on ? this.rules.clock : null; }

  /** @returns {never} */
  fail() {
    throw new Fault("log", { n: this.n });
  }

  /** must fails unless something holds. @param {unknown} holds */
  must(holds) {
    if (!holds) this.fail();
  }

  /** same compares what an event says with what must be. @param {unknown} got @param {unknown} want */
  same(got, want) {
    if (!equal(got, want)) throw new Fault("score", { n: this.n, got: written(got), want: written(want) });
  }

  /** @param {number} i */
  seat(i) {
    return this.seats[i] ?? this.fail();
  }

  value = (/** @type {string} */ tile) => this.values.get(tile) ?? this.values.get("?") ?? 0; // a letter that isn't in the set is a blank's
  sum = (/** @type {string[]} */ tiles) => tiles.reduce((sum, t) => sum + this.value(t), 0);

  /** follow takes the next event, whose draws have been checked. @param {number} n @param {any} e */
  follow(n, e) {
    this.n = n;
    const fact = e.fact ?? {};
    this.must(!this.due || this.due === e.kind);
    const before = this.due;
    this.due = "";
    if (Object.hasOwn(this.does, e.kind)) this.does[e.kind](fact, e, before);
    this.last = e;
    this.due ||= this.next();
  }

  /** next returns the kind of event that must come now; "" if it is up to people or to time. */
  next() {
    if (this.phase !== "playing" && this.phase !== "closing") return "";
    if (this.shared) return this.ending() ? "ended" : "";
    if (this.phase === "playing" && !this.active.length) return "ended";
    const reason = this.ending(), mover = this.seats[this.turn];
    if (!reason && this.phase === "playing") {
      if (mover.lost > 0) return "turn-lost";
      if (this.rules.variant === "junior-starter" && !mover.rack.length && !this.bag.length) return "passed";
    }
    if (!reason) return "";
    if (this.contestable && (reason === "went-out" || reason === "scoreless")) {
      if (this.phase === "closing") return "";
      if (!this.seat(this.latest?.seat ?? -1).id.startsWith("robot:")) return "last-play";
    }
    return "ended";
  }

  /** contestable reports whether an opponent can still challenge the latest play. */
  get contestable() {
    const latest = this.latest;
    return Boolean(latest) && this.rules.challenge !== "void" && this.unjudged().length > 0 && this.active.some((i) => i !== latest?.seat && !this.seats[i].accepted);
  }

  /** unjudged lists the words of the latest play that nobody has challenged. */
  unjudged() {
    return (this.latest?.words ?? []).map((w) => String(w.tiles)).filter((w) => !this.latest?.judged.includes(w));
  }

  get stalled() { return this.rules.scoreless_turns > 0 && this.scoreless >= this.rules.scoreless_turns; }

  /** overdue reports whether a seat is over its time by more than the limit. @param {number} i */
  overdue = (i) => this.seats[i].used - duration(this.clock.time) > duration(this.clock.limit);

  /** ending returns why the game is over, or "". @returns {string} */
  ending() {
    const active = this.active;
    if (this.shared) {
      if (!active.length) return "resignation";
      if (this.last.kind !== "turn-scored") return "";
      if (!this.draws.rack.length && !this.bag.length) return "went-out";
      return this.scoreless >= this.rules.duplicate.idle_turns || !this.last.fact.at && !this.bag.length ? "scoreless" : "";
    }
    if (active.length < 2 && this.seats.some((s) => s.vacant)) return "";
    if (active.length < Math.min(2, this.seats.length)) return this.last.kind === "challenged" && this.last.fact.loses_game ? "triple" : "resignation";
    if (this.rules.variant === "unscrabble" && this.stuck || this.rules.variant === "junior-starter" && this.covered()) return "stuck";
    if (this.clock && (duration(this.clock.limit) > 0 || this.clock.loses) && active.some(this.overdue)) return "overtime";
    if (!["unscrabble", "junior-starter"].includes(this.rules.variant) && !this.bag.length && active.some((i) => !this.seats[i].rack.length)) return "went-out";
    if (active.every((i) => this.seats[i].agreed)) return "agreement";
    if (this.stalled && (!this.rules.elect || active.some((i) => this.seats[i].agreed))) return "scoreless";
    return this.rules.pass_rounds > 0 && this.passes >= this.rules.pass_rounds * active.length ? "passed" : "";
  }

  // ---- junior-starter

  /** openIn lists the squares of a printed word without a tile. @param {{ row: number, col: number, dir: number[], tiles: string[] }} word */
  openIn = (word) => word.tiles.map((_, i) => step(word, word.dir, i)).filter((at) => !this.board.get(at));

  /** covered reports whether nobody can cover a letter any more. */
  covered() {
    const left = [...this.bag, ...this.active.flatMap((i) => this.seats[i].rack)];
    return this.printed.tiles.size > 0 && !this.printed.words().some((w) => this.openIn(w).slice(0, 1).some((at) => left.includes(this.printed.get(at))));
  }

  // ---- plays

  /** play returns the squares, words and score of a play. @param {{ at: string, tiles: string }} f */
  play({ at: text, tiles: said }) {
    const at = square(text), tiles = tokens(said), laid = /** @type {At[]} */ ([]), { dir } = at;
    let joined = false, uses = false;
    for (const [i, tile] of tiles.entries()) {
      const here = step(at, dir, i);
      this.must(this.layout[here.row]?.[here.col]);
      const there = this.board.get(here);
      this.must(Boolean(there) === (tile === "."));
      if (there) joined = uses = true;
      else {
        laid.push(here);
        joined ||= [1, -1].some((n) => this.board.get(step(here, dir, n)) || this.board.get(step(here, other(dir), n)));
      }
    }
    this.must(laid.length);
    if (this.rules.variant === "junior-starter") return { laid, ...this.cover(at, laid, tiles.filter((t) => t !== ".")) };
    this.must(tiles.length > 1 && !this.board.get(step(at, dir, -1)) && !this.board.get(step(at, dir, tiles.length)));
    const first = !this.board.tiles.size;
    if (first) joined = tiles.some((_, i) => "*+".includes(this.layout[step(at, dir, i).row][step(at, dir, i).col]));
    this.must(joined && (first || uses || !this.rules.use_letter));
    this.lay(laid, tiles.filter((t) => t !== "."));
    const words = [this.score(at, dir, laid), ...laid.map((sq) => this.score(sq, other(dir), laid)).filter((w) => w.tiles.length > 1)];
    const bonus = this.rules.bonus_tiles > 0 && laid.length >= this.rules.bonus_tiles ? this.rules.bonus : 0;
    return { laid, words, score: words.reduce((sum, w) => sum + w.score, bonus) };
  }

  /** cover scores a play of junior-starter. @param {ReturnType<typeof square>} at @param {At[]} laid @param {string[]} tiles */
  cover(at, laid, tiles) {
    const word = this.printed.run(at, at.dir), open = this.openIn(word);
    this.must(word.tiles.length > 1 && laid.length <= 2 && equal(laid, open.slice(0, laid.length)) && equal(tiles, laid.map(this.printed.get)));
    this.lay(laid, tiles);
    const done = (/** @type {typeof word} */ w) => ({ ...w, score: this.openIn(w).length ? 0 : 1 });
    const words = [done(word), ...laid.map((sq) => done(this.printed.run(sq, other(at.dir)))).filter((w) => w.tiles.length > 1 && w.score)];
    return { words, score: words.reduce((sum, w) => sum + w.score, 0) };
  }

  /** score returns a word through a square, and its points. @param {At} at @param {number[]} dir @param {At[]} laid @returns {Word} */
  score(at, dir, laid) {
    const run = this.board.run(at, dir);
    let sum = 0, times = 1;
    for (const [i, tile] of run.tiles.entries()) {
      const here = step(run, dir, i), isNew = laid.some((sq) => equal({ ...sq }, here)), premium = isNew ? this.layout[here.row][here.col] : ".";
      sum += this.value(tile) * ({ d: 2, t: 3 }[premium] ?? 1);
      times *= { D: 2, "*": 2, T: 3 }[premium] ?? 1;
    }
    return { ...run, score: sum * times };
  }

  /** @param {At[]} squares @param {string[]} tiles */
  lay(squares, tiles) {
    squares.forEach((sq, i) => this.board.put(sq, tiles[i]));
  }

  /** @param {At[]} squares */
  lift(squares) {
    for (const sq of squares) this.board.put(sq, "");
  }

  /** judge compares the words and the score that an event gives a play with those it has. @param {any} f @param {{ words: Word[], score: number }} made */
  judge(f, made) {
    const said = (f.words ?? []).map((/** @type {any} */ w) => ({ ...square(w.at), tiles: tokens(w.tiles), score: w.score ?? 0 }));
    const plain = (/** @type {Word[]} */ words) => words.map((w) => [w.row, w.col, w.dir === across, w.tiles.join(" ")]);
    this.must(equal(plain(said), plain(made.words)));
    said.forEach((/** @type {Word} */ w, /** @type {number} */ i) => this.same(w.score, made.words[i].score));
    this.same(f.score ?? 0, made.score);
  }

  // ---- turns

  /** mover checks that it is a seat's turn. @param {number} i */
  mover(i) {
    this.must(this.phase === "playing" && !this.shared && this.turn === i);
    return this.seat(i);
  }

  /** done ends a turn. @param {number} i */
  done(i) {
    this.turns++;
    this.turnTo(this.after(i));
    for (const s of this.seats) s.agreed = false;
  }

  /** @param {number} i */
  turnTo(i) {
    this.turn = i;
    this.late = false;
  }

  /** scorelessTurn ends a turn without a play. @param {number} i */
  scorelessTurn(i) {
    this.latest = null;
    this.scoreless++;
    this.gain(i);
    this.done(i);
  }

  /** gain adds the clock's increment. @param {number} i */
  gain(i) {
    if (this.clock) this.seats[i].used -= duration(this.clock.increment);
  }

  /** after returns the seat whose turn follows. @param {number} i */
  after(i) {
    const alone = this.active.length < 2;
    for (const _ of this.seats) {
      i = (i + 1) % this.seats.length;
      if (!this.seats[i].out || alone && this.seats[i].vacant) break;
    }
    return i;
  }

  /** leave takes a seat out of the game. @param {number} i */
  leave(i) {
    const seat = this.seat(i);
    seat.out = true;
    seat.vacant = false;
    if (this.active.length > 1 && !this.shared) seat.rack = [];
    if (this.turn === i) this.turnTo(this.after(i));
  }

  /** loses returns the kind of event by which a late seat leaves the game. */
  loses() { return this.active.length > 2 ? "vacated" : "resigned"; }

  // The effects of events, by kind.
  /** @type {Record<string, (fact: any, e: any, due: string) => unknown>} */
  does = {
    opened: ({ rules, pace, layout, tiles }) => {
      this.rules = rules;
      this.pace = pace ?? {};
      this.layout = layout.rows.map((/** @type {string} */ row) => [...row]);
      this.values = new Map([...tiles.letters, { ...tiles.blank, text: "?" }].map((k) => [k.text, k.value ?? 0]));
    },
    joined: () => Object.assign(this.seats[this.seats.length - 1], { score: 0, out: false, vacant: false, lost: 0, agreed: false, accepted: false, used: 0 }),
    started: () => {
      this.phase = this.shared ? "playing" : "starting";
    },
    "set-up": ({ board, printed }) => {
      this.board.fill(board);
      this.printed.fill(printed);
    },
    dealt: ({ first }) => {
      this.phase = "playing";
      this.turn = first;
    },
    timed: ({ seat, took }) => {
      this.must(this.clock);
      this.mover(seat).used += duration(took);
    },
    played: (f) => {
      const seat = this.mover(f.seat), made = this.play(f);
      this.judge(f, made);
      this.latest = { seat: f.seat, words: made.words, judged: [], squares: made.laid, score: made.score, scoreless: this.scoreless + 1 };
      seat.score += made.score;
      this.scoreless = made.score === 0 && this.rules.zero_plays ? this.scoreless + 1 : 0;
      this.passes = 0;
      this.gain(f.seat);
      this.done(f.seat);
    },
    exchanged: ({ seat, put }) => {
      this.mover(seat);
      const n = tokens(put).length; // as many came out of the bag as went in
      this.must(n > 0 && this.bag.length >= Math.max(n, this.rules.exchange_min ?? 0));
      this.passes = 0;
      this.scorelessTurn(seat);
    },
    passed: ({ seat }) => {
      this.mover(seat);
      this.passes++;
      this.scorelessTurn(seat);
    },
    "turn-lost": ({ seat }) => {
      const player = this.mover(seat);
      this.must(player.lost-- > 0);
      if (this.latest) this.latest.scoreless++;
      this.scoreless++;
      this.passes = 0;
      this.done(seat);
    },
    challenged: (f) => {
      const latest = this.latest ?? this.fail(), player = this.seat(f.player), by = this.seat(f.by), { challenge } = this.rules;
      this.must(f.player === latest.seat && f.by !== f.player && !by.out && challenge !== "void");
      const words = f.words.map((/** @type {string} */ w) => String(tokens(w))), invalid = (f.invalid ?? []).map((/** @type {string} */ w) => String(tokens(w)));
      this.must(words.length && words.every((/** @type {string} */ w) => this.unjudged().includes(w)) && invalid.every((/** @type {string} */ w) => words.includes(w)));
      const stands = !invalid.length;
      this.must(Boolean(f.loses_game) === (challenge === "triple") && Boolean(f.loses_turn) === (stands && challenge === "double"));
      this.same(f.bonus ?? 0, stands ? ({ "5-point": 5, "10-point": 10 }[/** @type {string} */ (challenge)] ?? 0) * words.length : 0);
      this.same(f.cost ?? 0, 0);
      if (stands) {
        latest.judged.push(...words);
        player.score += f.bonus ?? 0;
        if (f.loses_turn) by.lost++;
        if (f.loses_game) this.leave(f.by);
        return;
      }
      this.lift(latest.squares);
      player.score -= latest.score;
      this.scoreless = latest.scoreless;
      this.latest = null;
      this.phase = "playing";
      for (const s of this.seats) s.accepted = false;
      if (f.loses_game) this.leave(f.player);
    },
    "last-play": ({ until }) => {
      this.must(this.phase === "playing" && this.ending() && this.contestable);
      this.phase = "closing";
      this.until = until;
    },
    accepted: ({ seat }) => {
      this.must(this.phase === "closing" && seat !== this.latest?.seat && !this.seat(seat).out && !this.seat(seat).accepted);
      this.seat(seat).accepted = true;
    },
    hinted: ({ seat }) => this.must(this.mover(seat) && this.rules.hints),
    agreed: ({ seat }) => {
      this.must(this.phase === "playing" && !this.shared && !this.seat(seat).out && !this.seat(seat).agreed && (this.rules.agreement || this.rules.elect && this.stalled));
      this.seat(seat).agreed = true;
    },
    resigned: ({ seat }) => {
      this.must(this.phase === "playing" && (!this.seat(seat).out || this.seat(seat).vacant));
      if (this.latest && (this.latest.seat === seat || this.turn === seat)) this.latest = null;
      this.leave(seat);
    },
    "timed-out": ({ seat }) => {
      this.mover(seat);
      this.late = true;
      this.due = { pass: "passed", forfeit: this.loses() }[/** @type {string} */ (this.pace.turn && this.pace.late)] ?? "";
    },
    claimed: ({ by, seat }) => {
      this.must(this.phase === "playing" && by !== seat && !this.seat(by).out && (this.late && this.turn === seat || this.active.length === 1 && this.seat(seat).vacant));
      this.due = this.loses();
    },
    waited: ({ by }) => {
      this.must(this.phase === "playing" && this.late && this.turn !== by);
      this.late = false;
    },
    vacated: ({ seat: i }) => {
      const seat = this.seat(i);
      this.must(this.phase === "playing" && !seat.out);
      seat.out = seat.vacant = true;
      if (this.latest && (this.latest.seat === i || this.turn === i)) this.latest = null;
      if (this.turn === i && this.active.length > 1 && !this.shared) this.turnTo(this.after(i));
    },
    adopted: ({ seat: i, person }) => {
      const seat = this.seat(i);
      this.must(seat.vacant);
      Object.assign(seat, { id: person.id, out: false, vacant: false });
      if (this.seats[this.turn].out) this.turnTo(this.after(this.turn));
    },
    lifted: ({ seat: i, squares, tiles, score, last }) => {
      const seat = this.mover(i), at = squares.map(square), taken = tokens(tiles);
      this.must(this.rules.variant === "unscrabble" && at.length >= 1 && at.length <= 6 && at.length === taken.length);
      for (const [k, sq] of at.entries()) {
        this.must(this.board.get(sq) === taken[k]);
        this.board.put(sq, "");
      }
      const { count, size } = this.board.parts();
      this.must(count === 0 || count === 1 && size > 1);
      this.same(score ?? 0, this.sum(taken));
      seat.score += score ?? 0;
      this.stuck = Boolean(last);
      this.scoreless = this.passes = 0;
      this.latest = null;
      this.gain(i);
      this.done(i);
    },
    // duplicate
    "rack-drawn": () => this.must(this.shared && !this.open),
    "turn-opened": () => {
      this.must(this.shared && !this.open);
      this.open = true;
      for (const s of this.seats) s.wrote = null;
    },
    "turn-extended": () => this.must(this.open),
    submitted: (f, e) => {
      const seat = this.seat(f.seat);
      this.must(this.open && !seat.out);
      let made = { words: /** @type {Word[]} */ ([]), score: 0, laid: /** @type {At[]} */ ([]) };
      if (f.at) {
        made = this.play(f);
        this.lift(made.laid);
      }
      this.judge(f, made);
      seat.wrote = { words: made.words, score: made.score, f, n: e.n };
    },
    "turn-scored": (f) => {
      this.must(this.open);
      const invalid = (f.invalid ?? []).map((/** @type {string} */ w) => String(tokens(w)));
      let best = { by: -1, score: 0, n: 0, f: /** @type {any} */ ({}) };
      const bad = new Set();
      const scores = this.seats.map((seat, by) => {
        const wrote = seat.wrote;
        if (seat.out || !wrote?.f.at) return 0;
        const wrong = wrote.words.map((w) => String(w.tiles)).filter((w) => invalid.includes(w));
        wrong.forEach((w) => bad.add(w));
        if (wrong.length && this.rules.challenge !== "void") return 0;
        if (best.by < 0 || wrote.score > best.score || wrote.score === best.score && wrote.n < best.n) best = { by, score: wrote.score, n: wrote.n, f: wrote.f };
        return wrote.score;
      });
      this.must(bad.size === new Set(invalid).size);
      scores.forEach((score, i) => this.same(f.scores[i] ?? 0, score));
      if (f.by >= 0 || !f.at) {
        this.same(f.by, best.by);
        this.must((f.at ?? "") === (best.f.at ?? "") && (f.tiles ?? "") === (best.f.tiles ?? ""));
      }
      if (f.at) {
        const made = this.play(f); // it stays on the board
        this.judge(f, made);
        if (f.by < 0) this.must(this.rules.duplicate.top_play && (best.by < 0 || made.score > best.score));
      }
      this.scoreless = f.by >= 0 || scores.some((s) => s > 0) ? 0 : this.scoreless + 1;
      this.seats.forEach((s, i) => (s.score += scores[i]));
      this.open = false;
    },
    ended: (f, e, due) => this.ended(f, e, due),
  };

  /** ended checks the end: its reason, what the racks change, and the winners. @param {any} f @param {any} e @param {string} due */
  ended(f, e, due) {
    const none = this.seats.map(() => 0), racks = this.seats.map((s) => (this.shared ? [] : [...s.rack].sort()));
    this.must(this.phase === "playing" || this.phase === "closing");
    this.must(equal((f.racks ?? []).map((/** @type {string} */ r) => tokens(r).sort()), racks));
    if (f.reason === "stopped" || f.reason === "forsaken") {
      this.same(f.adjust, none);
      this.same([f.winners ?? [], f.overtime ?? none], [[], none]);
      return;
    }
    this.must(due === "ended" || this.phase === "closing" && e.at >= this.until);
    this.must(f.reason === this.ending());
    const active = this.active, kept = (/** @type {number} */ i) => this.sum(this.seats[i].rack);
    const adjust = this.seats.map((seat, i) => {
      if (seat.out || this.shared || ["unscrabble", "junior-starter"].includes(this.rules.variant)) return 0;
      switch (f.reason) {
        case "went-out":
          if (!seat.rack.length && i === active.filter((k) => !this.seats[k].rack.length).pop()) return (this.rules.out_bonus === "double" ? 2 : 1) * active.reduce((sum, k) => sum + kept(k), 0);
          return this.rules.out_bonus === "deduct" ? -kept(i) : 0;
        case "scoreless": case "agreement": case "passed": case "overtime": return -kept(i);
      }
      return 0;
    });
    this.same(f.adjust.map((/** @type {number} */ n) => n || 0), adjust.map((n) => n || 0));
    const overtime = this.seats.map((seat, i) => (this.clock?.penalty && !this.shared && active.includes(i) ? Math.ceil(Math.max(0, seat.used - duration(this.clock.time)) / 60_000) * this.clock.penalty : 0));
    this.same(f.overtime ?? none, overtime);
    const total = (/** @type {number} */ i) => this.seats[i].score + adjust[i] - overtime[i];
    let best = /** @type {number[]} */ ([]);
    const late = (/** @type {number} */ i) => this.clock?.loses && this.overdue(i);
    for (const i of this.shared && !active.length ? this.seats.keys() : active.filter((i) => !late(i))) {
      const order = !best.length ? 1 : total(i) - total(best[0]) || (this.rules.tie_break && !this.shared ? this.seats[i].score - this.seats[best[0]].score : 0);
      if (order > 0) best = [i];
      else if (order === 0) best.push(i);
    }
    this.same(f.winners ?? [], best);
  }
}

/** written writes a value for people. @param {unknown} v */
const written = (v) => (Array.isArray(v) ? v.join(", ") : String(v));
