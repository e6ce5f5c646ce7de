// Types for the page's scripts: the host's answers in JSON, and the page's state. No browser
// loads this file.

type Tile = import("./static/play.js").Tile;
type State = import("./static/play.js").State;
type View = import("./static/play.js").View;

// ---- a table (bot.Sight)

interface Player { seat: number; name: string; score: number; toMove?: boolean; robot?: boolean; note?: string; clock?: { left: number; runs?: boolean } }
interface Turn { number?: number; player?: string; text: string; score?: number; total?: number; changes?: { square: number; tile: string }[] }
interface SightButton { id: string; label: string; style?: number }
interface Sight extends View {
  phase: "lobby" | "voting" | "playing" | "closing" | "over";
  variant?: string;
  fresh?: number[];
  gone?: number[];
  players: Player[];
  seats: number;
  supply: string;
  caption?: string;
  until?: number;
  began?: string[];
  turns: Turn[];
  buttons?: SightButton[];
  seat?: number; // the person's seat, also after the end
  ending?: { result: string; by?: number; players: { seat: number; name: string; score: number; won?: boolean; best?: string; play?: string[]; points?: number; bingos?: number; rating?: number; change?: number }[] };
}
interface Draft { words?: { text: string; score: number; invalid?: boolean }[]; score: number; problem?: string }

// ---- messages

interface Span { text: string; person?: string; notify?: boolean; strong?: boolean; code?: boolean; small?: boolean; time?: number; link?: string }
/** A text.Span in the host's own JSON. */
interface HostSpan { Text: string; Person?: string; Strong?: boolean; Code?: boolean; Time?: string }
interface Picture { src?: string; dark?: string; alt: string; width?: number; height?: number }
interface Button { id?: string; label: string; style?: string; type?: string; ask?: boolean; link?: string; run?: () => void }
interface Menu { id: string; label: string; choices: { value: string; label: string }[] }
interface SavedFile { name: string; type: string; alt?: string; data: string }
interface Reply {
  text: Span[];
  line?: Span[];
  picture?: Picture | null;
  buttons?: Button[] | null;
  menus?: Menu[] | null;
  files?: SavedFile[];
  refused?: boolean;
  rack?: boolean;
  about?: string;
  stream?: string;
  from?: Person;
}
interface Message extends Reply { stream: string; number: number; id?: string; at: number; table?: number; events?: number; kind?: string; standing?: string; edits?: number }

interface Person { id: string; name: string }
interface Presence extends Person { here?: boolean; gone?: boolean }

interface StreamInfo { id: string; name?: string; kind: "channel" | "game" | "host" | "direct"; with: string; last: number; read: number; unread: number; mentions: number }
interface Answer { key: string; after: number; command: string; message: Reply; at: number; turn?: number }
interface Pending { id: string; text: string; at: number; stream: string; command: boolean }
interface Stream extends StreamInfo {
  messages: Message[];
  loaded: boolean;
  loading?: boolean;
  looked?: boolean; // whether its table is known
  filling?: boolean;
  start: boolean;
  listed?: boolean;
  answers: Answer[];
  rack: Reply | null;
  rackAway?: boolean;
  pending: Pending[];
  draft: string;
  sight?: Sight;
  page?: string; // the table's address
  game?: string; // key of the table in view, if it isn't the latest
  wants?: boolean; // whether the person has asked for something here since its table came into view, perhaps a rematch
}

// ---- commands

interface Option { name: string; own?: string; help: string; required: boolean; choices?: { value: string; label: string; without?: string[] }[] }
interface Command { name: string; own?: string; help: string; example: string; options: Option[]; manages?: boolean }
interface Choice { insert: string; label: string; help?: string; usage?: string; open?: boolean; from: number; person?: Presence }

// ---- the board on the page

/** What a board shows: the table, the player's draft, and the state of requests. */
interface Now {
  view: Sight;
  s: State;
  back: number; // number of moves shown while looking back; -1 means now
  draft: { key: string; said: Draft | null };
  sure: string; // the button pressed once that must be pressed again
  sending: boolean;
  refusal: string;
}
interface Act { command: string; args: Record<string, string>; table?: number; number?: number }
interface BoardHost {
  act(request: Act): Promise<Reply | undefined>;
  draft(play: { word: string; at: string; squares?: string; table?: number }): Promise<Draft>;
  press(id: string): unknown;
  say(text: string): void;
  settings(): { ask?: boolean; whole?: boolean };
  questions?: boolean; // whether the buttons of replies are shown
  share?(): Promise<string>; // shares the game's page, and returns a message about the result
  next?(): void; // goes to the next game that waits for the player, or starts one
  more?(): boolean; // whether another game waits for the player
  review?(): void; // shows the review
  face?(seat: number): Node | null; // a picture of the seat's player
  moves?: HTMLElement; // element for the list of moves, if not below the board
  sound(pitch?: number): void; // in hertz; by default the sound of a tile
}
interface Board {
  show(view: Sight): void;
  above?: HTMLElement; // the place above the board, for the curve of a review
  judged?(made: Reviewed): void; // shows a finished review on the card of the end
  look?(n: number): void; // shows the position after n moves
  back?(): number; // number of moves shown while looking back; -1 means now
  again?(): void; // redraws the players and the buttons
}

// ---- the document

/** The pages' elements that are more than an HTMLElement, by id. */
interface PageElements {
  "entry-name": HTMLInputElement;
  "entry-form": HTMLFormElement;
  "channel-name": HTMLInputElement;
  "me-name": HTMLInputElement;
  "find-people": HTMLInputElement;
  "set-push": HTMLInputElement;
  "new-form": HTMLFormElement;
  composer: HTMLFormElement;
  box: HTMLTextAreaElement;
  send: HTMLButtonElement;
  viewer: HTMLDialogElement;
  "viewer-picture": HTMLImageElement;
  commands: HTMLDialogElement;
  "new-dialog": HTMLDialogElement;
  "channel-dialog": HTMLDialogElement;
  "me-dialog": HTMLDialogElement;
  fair: HTMLDetailsElement;
  proof: HTMLInputElement;
  posted: HTMLInputElement;
}

type Handler<E> = (e: E) => unknown;
interface Props {
  onclick?: Handler<MouseEvent> | null;
  onsubmit?: Handler<SubmitEvent>;
  onchange?: Handler<Event>;
  ontoggle?: Handler<Event>;
  onclose?: Handler<Event>;
  onpointermove?: Handler<PointerEvent>;
  [name: string]: Handler<any> | string | number | boolean | null | undefined;
}
type Child = Node | string | false | null | undefined;
type Value = string | number | Node;

interface TrustedTypePolicyFactory { createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string } }
declare var trustedTypes: TrustedTypePolicyFactory | undefined;

// ---- between the modules of the room

/** The actions of a message's buttons. */
interface Does {
  seen(): void;
  enlarge(img: HTMLImageElement): void;
  dismiss(a: Answer): void;
  press(m: Reply, button: Button, node: HTMLElement): unknown;
}
/** The message box, for scripts that fill it. */
interface Compose { insert(text: string): void; focus(): void }
/** A game in a list; see adapters/web/home.go. */
interface GameInfo {
  page: string; stream: string; phase: string; seats: number; mine?: boolean; turn?: boolean; until?: number;
  players: { name: string; score: number; toMove?: boolean; robot?: boolean; own?: boolean }[];
  board: SmallBoard;
}
/** Somebody who waits for an opponent. */
interface Seek { id: string; name: string; options: Record<string, string> }
/** What a person chooses for a new game; see choice.js. */
interface NewGame { who: string; level: string; time: string; language: string; rest: Record<string, string> }
/** What a small picture of a board shows. */
interface SmallBoard { size: number; squares: string; board: Record<number, string>; fresh?: number[] }
interface Running { stream: string; phase: string; players: string[]; seats: number }
interface Play extends Act { stream: string; id: string }

// ---- the page of a game

/** Discord's client around a page; see frame.js. */
interface Client {
  command(name: string, args?: object): Promise<any>;
  on(event: string, f: (data: any) => void): Promise<any>;
}
/** A person in an instance of the Activity, as Discord's client reports them. */
interface Participant { id: string; username: string; global_name?: string | null; nickname?: string | null; avatar?: string | null; bot?: boolean }

interface TableHandlers {
  face?(seat: number): Node | null;
  sight(sight: Sight | null, answer: any): void;
  said(reply: Reply, request?: Act): void;
  lost(refusal: Error): void;
  headers?(): Record<string, string>;
  show?(sight: Sight): Sight;
  tries?(): Tries;
  share?(): Promise<string>;
  review?(): void;
  moves?: HTMLElement;
  first?: any;
  still?: boolean;
}
// ---- a daily board (bot.Daily)

interface DailyTry { level: number; band: string; play: string; score: number }
interface Daily {
  sight: Sight; number: number; title: string; date: string; over: boolean; left: number; state: HostSpan[]; streak?: string; share?: string; digest?: string;
  tries?: DailyTry[]; facts?: HostSpan[][]; proof?: boolean; before?: string; after?: string;
  plays?: { play: string; score: number; squares: number[]; tiles: string[] }[];
  stranger?: boolean; // whether a first try is judged without a name
  results?: { place: number; name: string; score: number; percent: number; own?: boolean; tries: DailyTry[] }[];
}
interface Judged { text: string; points: number; equity: number; reason?: string; step?: string; chance?: string; win?: number; squares?: number[]; tiles: string[] }
interface Review { turn: number; seat: number; loss: number; sure?: string; chance?: string; given?: number; rack: string[]; remark?: string; made: Judged; best: Judged[] }
/** The host's analysis of a position; see bot/feature/analysis/question.go. */
interface Analysis {
  sight: Sight; cgp: string; list: string; last?: string; over?: boolean; count: number;
  plays?: Judged[]; best?: Judged[]; ending?: Judged[]; proven?: boolean; value?: number;
}
interface Tried extends Draft { judged?: Review }
interface Tries { tries(): boolean; judge(request: Act): Promise<Reply>; draft(play: { word: string; at: string }): Promise<Draft> }
interface Reviewed { turns: Review[]; moves: number; accuracy?: number[] }
/** A question about a typed line; each answer's value is the line to send instead, or null to send it unchanged. */
interface Question { text: string; answers: Record<string, string | null> }
interface Head { command: string; parts: Child[] }
