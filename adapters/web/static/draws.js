// Checks the draws of a finished game, and with rules.js everything else that happened in it. Both
// scripts were written from the pages data/formats/proof.md and log.md alone. They share nothing with
// the program that drew the tiles, and need no other file.

import { Fault, Game } from "./rules.js";

export { Fault };

/**
 * check repeats every draw of a proof and follows the rules. posted is the digest from the channel,
 * if known. It returns {n, kind, drew} for each event with a draw, or throws a Fault.
 * @param {any} proof @param {string} [posted]
 */
export async function check(proof, posted) {
  const { format, commitment, secret, events } = proof ?? {};
  if (format !== "rackmate proof 1" || !/^[0-9a-f]{64}$/i.test(secret) || !Array.isArray(events)) throw new Fault("format");
  if (hex(await sha256(unhex(secret))) !== commitment) throw new Fault("commitment");
  if (posted && posted !== digestOf(commitment)) throw new Fault("posted");
  if (events[0]?.kind !== "opened" || events[0].fact?.secret !== secret) throw new Fault("log", { n: 0 });
  const table = new Table(secret), game = new Game(table);
  for (const [n, e] of events.entries()) {
    try {
      await table.take(n, e);
      game.follow(n, e);
    } catch (err) {
      throw err instanceof Fault ? err : new Fault("log", { n }); // a missing field
    }
  }
  if (!table.over) throw new Fault("log", { n: events.length });
  return table.draws;
}

const letters = "abcdefghijklmnopqrstuvwxyz234567";

/** digestOf returns a SHA-256 as it is posted: 160 bits in base32, in groups. @param {string} commitment in hex */
export function digestOf(commitment) {
  let bits = BigInt("0x" + commitment.slice(0, 40));
  const all = Array.from({ length: 32 }, () => {
    const letter = letters[Number(bits & 31n)];
    bits >>= 5n;
    return letter;
  });
  return (all.reverse().join("").match(/.{4}/g) ?? []).join("-");
}

/** findDigest returns the digest in a text, such as a copied message, or "". @param {string} text */
export function findDigest(text) {
  const found = /\b(?:(?:[a-z2-7]{4}-){7}[a-z2-7]{4}|[0-9a-f]{64})\b/.exec(text.toLowerCase())?.[0] ?? "";
  return found.length === 64 ? digestOf(found) : found; // earlier releases posted the whole SHA-256
}

// ---- bytes

/** @param {Uint8Array<ArrayBuffer>} bytes */
const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
/** @param {string} text */
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (b) => parseInt(b, 16));

/** numbers encodes whole numbers as big-endian ones of 4 or 8 bytes. @param {4 | 8} size @param {...number} all */
function numbers(size, ...all) {
  const view = new DataView(new ArrayBuffer(size * all.length));
  all.forEach((n, i) => (size === 4 ? view.setUint32(4 * i, n) : view.setBigUint64(8 * i, BigInt(n))));
  return new Uint8Array(view.buffer);
}

/** @param {string} secret @param {string[]} causes */
async function seedOf(secret, causes) {
  const parts = [new TextEncoder().encode("rackmate draws 1\n"), unhex(secret)];
  for (const cause of causes) {
    const bytes = new TextEncoder().encode(cause);
    parts.push(numbers(4, bytes.length), bytes);
  }
  const seed = await sha256(new Uint8Array(await new Blob(parts).arrayBuffer()));
  return crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/** Chance generates the random numbers of one event. */
class Chance {
  block = 0;
  /** @type {bigint[]} */
  left = [];

  /** @param {CryptoKey} seed @param {number} n */
  constructor(seed, n) {
    this.seed = seed;
    this.n = n;
  }

  /** below returns a random index below size. @param {number} size */
  async below(size) {
    const most = 2n ** 64n - (2n ** 64n % BigInt(size));
    for (;;) {
      if (!this.left.length) {
        const view = new DataView(await crypto.subtle.sign("HMAC", this.seed, numbers(8, this.n, this.block++)));
        this.left = [0, 8, 16, 24].map((at) => view.getBigUint64(at));
      }
      const number = this.left.shift();
      if (number !== undefined && number < most) return Number(number % BigInt(size));
    }
  }

  /** draw takes n tiles out of a bag. @param {string[]} bag @param {number} n */
  async draw(bag, n) {
    /** @type {string[]} */
    const drew = [];
    while (drew.length < n && bag.length) drew.push(...bag.splice(await this.below(bag.length), 1));
    return drew;
  }
}

// ---- the table

/** @param {number[]} seats @returns {number[][]} */
const orders = (seats) => (seats.length ? seats.flatMap((s) => orders(seats.filter((t) => t !== s)).map((rest) => [s, ...rest])) : [[]]);

// Kinds of events that change neither bag nor racks.
const still = ["closed", "timed", "passed", "turn-lost", "last-play", "accepted", "hinted", "agreed", "timed-out", "claimed", "waited", "went-away", "came-back", "vacated", "adopted", "turn-extended", "submitted", "lifted", "resigned"];

/** @typedef {{ cause: string, id: string, rack: string[], vowels?: number }} Seat */

class Table {
  seats = /** @type {Seat[]} */ ([]); // in the order of play
  draws = /** @type {{ n: number, kind: string, drew: string }[]} */ ([]);
  over = false;
  n = 0; // number of the current event
  kind = "";
  seed = /** @type {CryptoKey | undefined} */ (undefined); // set when the game starts
  rules = { rack_size: 0 };
  wantedFirst = /** @type {string | undefined} */ (undefined);
  first = /** @type {number[]} */ ([]); // seats that may begin
  votes = /** @type {string[] | undefined} */ (undefined);
  place = /** @type {Map<string, number>} */ (new Map()); // position of each letter in the alphabet
  vowels = /** @type {Set<string>} */ (new Set());
  blanks = 0;
  bags = /** @type {string[][]} */ ([]);
  latest = /** @type {{ seat: Seat, before: string[], drew: string[], vowels: number } | null} */ (null); // the play that can still be challenged
  // In duplicate: the common rack, the tiles that must go back from it, how often it was drawn in
  // this turn, and the number of turns.
  rack = /** @type {string[]} */ ([]);
  due = /** @type {string[]} */ ([]);
  drawn = 0;
  turns = 0;

  /** @param {string} secret */
  constructor(secret) {
    this.secret = secret;
  }

  /** @param {number} n @param {any} e */
  async take(n, e) {
    this.n = n;
    this.kind = e.kind;
    if (e.v !== 1 || e.n !== n || this.over) this.fail();
    if (this.seed) this.random = new Chance(this.seed, n);
    if (e.kind === "joined") this.seats.push({ cause: e.cause, id: e.fact.person.id, rack: [] });
    else if (Object.hasOwn(this.does, e.kind)) await this.does[e.kind](e.fact);
    else if (!still.includes(e.kind)) this.fail();
  }

  /** chance returns the random numbers of the current event. It fails before the game has begun. */
  get chance() {
    return this.random ?? this.fail();
  }

  /** @returns {never} */
  fail() {
    throw new Fault("log", { n: this.n });
  }

  /** same compares an event's draw with the one that the seed gives. @param {(string | number)[]} got @param {(string | number)[]} want */
  same(got, want) {
    const [a, b] = [got, want].map((tiles) => tiles.join(" "));
    if (a !== b) throw new Fault("draw", { n: this.n, got: a, want: b });
    if (a) this.draws.push({ n: this.n, kind: this.kind, drew: a });
  }

  /** tiles parses tiles as they go into a bag: a blank with any letter becomes "?". @param {string} [text] @returns {string[]} */
  tiles(text = "") {
    const all = (text.match(/\[[^\]]*\]|[^.]/gu) ?? []).map((t) => t.replace(/^\[(.*)\]$/u, "$1"));
    return all.map((t) => (this.place.has(t) ? t : "?"));
  }

  rank = (/** @type {string} */ tile) => this.place.get(tile) ?? -1;
  sort = (/** @type {string[]} */ bag) => bag.sort((a, b) => this.rank(a) - this.rank(b));

  /** without returns tiles minus others. It fails if those aren't among them. @param {string[]} tiles @param {string[]} others */
  without(tiles, others) {
    const left = [...tiles];
    for (const t of others) {
      const at = left.indexOf(t);
      if (at < 0) this.fail();
      left.splice(at, 1);
    }
    return left;
  }

  /** @param {number} i @returns {Seat} */
  seat(i) {
    return this.seats[i] ?? this.fail();
  }

  /** draw takes n tiles from the bag or bags; wanted is the number of vowels wanted. @param {number} n @param {number} [wanted] */
  async draw(n, wanted = 0) {
    if (this.bags.length === 1) return { drew: await this.chance.draw(this.bags[0], n), vowels: 0 };
    const [vowels, consonants] = this.bags;
    const others = Math.min(n - Math.min(wanted, vowels.length), consonants.length);
    const first = await this.chance.draw(vowels, n - others);
    return { drew: [...first, ...(await this.chance.draw(consonants, others))], vowels: first.length };
  }

  /** turn applies a play or an exchange: tiles leave the rack, and others are drawn. @param {any} fact @param {string[]} out */
  async turn({ seat: i, drew, vowels = 0 }, out) {
    const seat = this.seat(i), kept = this.without(seat.rack, out), before = seat.rack;
    const must = await this.draw(out.length, vowels);
    this.same(this.tiles(drew), must.drew);
    if (must.vowels !== vowels) this.fail();
    seat.rack = [...kept, ...must.drew];
    this.latest = null;
    return { seat, before, ...must };
  }

  /** @param {string[]} tiles */
  putBack(tiles) {
    for (const t of tiles) {
      const [bag, other] = this.bags;
      const here = !other || this.vowels.has(t) || (t === "?" && bag.filter((b) => b === "?").length < this.blanks / 2);
      (here ? bag : other).push(t);
    }
    this.bags.forEach(this.sort);
  }

  /** isComplete reports whether the duplicate rack has the required vowels and consonants. */
  isComplete() {
    const count = (/** @type {string[]} */ tiles) => {
      const blanks = tiles.filter((t) => t === "?").length, vowels = tiles.filter((t) => this.vowels.has(t)).length;
      return { blanks, vowels, consonants: tiles.length - blanks - vowels };
    };
    if (!this.bags[0].length || !this.vowels.size) return true;
    const most = this.turns < 15 ? 2 : 1;
    const rack = count(this.rack), all = count([...this.rack, ...this.bags[0]]);
    const vowels = Math.min(most, all.vowels + all.blanks), consonants = Math.min(most, all.consonants + all.blanks);
    if (all.vowels + all.consonants + all.blanks < vowels + consonants) return true;
    return Math.max(0, vowels - rack.vowels) + Math.max(0, consonants - rack.consonants) <= rack.blanks;
  }

  // The effects of events, by kind.
  /** @type {Record<string, (fact: any) => unknown>} */
  does = {
    opened: ({ tiles, rules, first }) => {
      this.rules = rules;
      this.wantedFirst = first?.id;
      /** @type {{ text: string, count: number, vowel?: boolean }[]} */
      const kinds = [...tiles.letters, { ...tiles.blank, text: "?" }];
      this.place = new Map(kinds.map((k, i) => [k.text, i]));
      this.vowels = new Set(kinds.filter((k) => k.vowel).map((k) => k.text));
      this.blanks = tiles.blank.count;
      this.bags = [kinds.flatMap((k) => Array(k.count).fill(k.text))];
    },
    left: ({ seat }) => {
      this.seat(seat);
      this.seats.splice(seat, 1);
    },
    started: async () => {
      this.seed = await seedOf(this.secret, this.seats.map((s) => s.cause));
      const first = this.seats.findIndex((s) => s.id === this.wantedFirst);
      this.first = first < 0 ? [...this.seats.keys()] : [first];
    },
    polled: () => (this.votes = []),
    balloted: ({ seat, order }) => ((this.votes ??= [])[seat] = String(order ?? "")),
    ordered: async ({ order, among }) => {
      let all = orders([...this.seats.keys()]);
      if (this.votes) {
        const cast = this.votes, votes = all.map((o) => cast.filter((v) => v === String(o)).length);
        all = all.filter((_, i) => votes[i] === Math.max(...votes));
      }
      if (among !== all.length) this.fail();
      if (among > 1) this.same(order, all[await this.chance.below(among)]);
      else if (String(order) !== String(all[0])) this.fail();
      this.seats = order.map((/** @type {number} */ i) => this.seats[i]);
      this.first = [0];
    },
    "order-drawn": async ({ seats, tiles }) => {
      if (String(seats) !== String(this.first)) this.fail();
      const drew = this.tiles(tiles), near = drew.map((t) => (t === "?" ? -1 : this.rank(t)));
      this.same(drew, await this.chance.draw([...this.bags[0]], seats.length));
      this.first = seats.filter((/** @type {number} */ _, /** @type {number} */ i) => near[i] === Math.min(...near));
    },
    "set-up": ({ board = [], printed = [], aside, fitted }) => {
      this.bags[0] = this.without(this.bags[0], board.flatMap((/** @type {string} */ row) => this.tiles(row)));
      if (aside) this.bags[0] = [];
      if (!fitted) return;
      const kept = printed.flatMap((/** @type {string} */ row) => this.tiles(row));
      this.without(this.bags[0], kept);
      this.bags[0] = this.sort(kept);
    },
    parted: ({ vowels }) => {
      const first = this.tiles(vowels);
      this.bags = [this.sort(first), this.without(this.bags[0], first)];
    },
    preferred: ({ seat, vowels }) => (this.seat(seat).vowels = vowels),
    dealt: async ({ first, racks, vowels }) => {
      if (racks.length !== this.seats.length || this.first.length !== 1 || first !== this.first[0]) this.fail();
      const size = this.rules.rack_size, all = [];
      for (const [i, seat] of this.seats.entries()) {
        const must = await this.draw(size, Math.min(seat.vowels ?? 3, size));
        if (vowels && vowels[i] !== must.vowels) this.fail();
        seat.rack = must.drew;
        all.push(...must.drew);
        const got = this.tiles(racks[i]).join(" ");
        if (got !== must.drew.join(" ")) throw new Fault("draw", { n: this.n, got, want: must.drew.join(" ") });
      }
      if (all.length) this.draws.push({ n: this.n, kind: this.kind, drew: all.join(" ") });
    },
    played: async (f) => (this.latest = await this.turn(f, this.tiles(f.tiles))),
    exchanged: async (f) => {
      const put = this.tiles(f.put);
      if (this.bags.flat().length < put.length) this.fail();
      await this.turn(f, put);
      this.putBack(put);
    },
    challenged: ({ player, invalid }) => {
      if (!this.latest || this.latest.seat !== this.seat(player)) this.fail();
      if (!invalid?.length) return;
      const { seat, before, drew, vowels } = this.latest;
      seat.rack = before;
      if (this.bags.length === 1) this.bags[0].push(...drew);
      else {
        this.bags[0].push(...drew.slice(0, vowels));
        this.bags[1].push(...drew.slice(vowels));
      }
      this.bags.forEach(this.sort);
      this.latest = null;
    },
    "rack-drawn": async ({ put, drew }) => {
      const back = this.tiles(put);
      if (this.sort(back).join() !== this.sort([...this.due]).join()) this.fail();
      if (this.drawn && (!back.length || this.drawn === 20)) this.fail();
      this.rack = this.without(this.rack, back);
      this.putBack(back);
      const must = await this.draw(this.rules.rack_size - this.rack.length);
      this.same(this.tiles(drew), must.drew);
      this.rack.push(...must.drew);
      this.drawn++;
      this.due = this.isComplete() ? [] : this.rack;
    },
    "turn-opened": () => {
      if (this.drawn ? this.due.length && this.drawn < 20 : this.bags[0].length) this.fail();
      this.drawn = 0;
    },
    "turn-scored": ({ at, tiles }) => {
      this.rack = this.without(this.rack, at ? this.tiles(tiles) : []);
      this.due = at ? [] : this.rack;
      this.turns++;
    },
    ended: () => (this.over = true),
  };
}
