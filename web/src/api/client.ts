/** Calls of the server. It decides every move; the page only sends requests. */

import { addPileLabels, addVariantLabels } from "../text/speech";
import type { components } from "./schema";

export type Schemas = components["schemas"];
export type Table = Schemas["Table"];
export type Game = Schemas["Game"];
export type Played = Schemas["Played"];
export type Problem = Schemas["Problem"];
export type Settings = Schemas["Settings"];
export type Difficulty = NonNullable<Schemas["SearchRequest"]["difficulty"]>;
export type Move = Schemas["Move"];

let language = "en";

/** Sets the language of the server's texts. */
export function setLanguage(wanted: string): void {
  language = wanted;
}

/** A request that the server refused; its message says why and, where it can, what helps. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    const { message, hint } = problem;
    super(hint ? `${sentence(message.text)} ${sentence(hint)}` : message.text);
  }
}

/** The address of the small picture of a game's table. */
export function pictureOf(game: string): string {
  return `/api/games/${encodeURIComponent(game)}/picture`;
}

/** The address of the picture of a position to share. */
export function pictureOfTable(id: string, node: number, format: "svg" | "png"): string {
  return `/api/tables/${id}/picture?node=${node}&format=${format}&lang=${language}`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const sent: RequestInit = { method, headers: { "Accept-Language": language } };
  if (body !== undefined) {
    sent.headers = { ...sent.headers, "Content-Type": "application/json" };
    sent.body = JSON.stringify(body);
  }
  const answer = await fetch(`/api${path}`, sent);
  if (answer.status === 204) return undefined as T;
  const found: unknown = await answer.json().catch(() => {
    // Another program answers at this address: treated like no answer.
    throw new TypeError(`${path}: no JSON`);
  });
  if (!answer.ok) throw new Refused(found as Problem);
  return found as T;
}

const name = encodeURIComponent;

export const api = {
  account: () => ask<Schemas["Account"]>("GET", "/account"),
  logIn: (name: string, password: string) =>
    ask<Schemas["Account"]>("POST", "/account/sessions", { name, password }),
  logOut: () => ask<void>("DELETE", "/account/session"),
  sessions: () => ask<Schemas["SessionInfo"][]>("GET", "/account/sessions"),
  endSession: (id: string) => ask<void>("DELETE", `/account/sessions/${id}`),
  endSessions: () => ask<void>("DELETE", "/account/sessions"),
  changePassword: (old: string, wanted: string) =>
    ask<void>("PUT", "/account/password", { old, new: wanted }),
  removeAccount: (password: string) => ask<void>("POST", "/account/removal", { password }),
  invitation: (secret: string) =>
    ask<Schemas["InvitationSeen"]>("POST", "/invitations/look", { secret }),
  accept: (secret: string, player: string, password: string) =>
    ask<Schemas["Account"]>("POST", "/invitations/accept", { secret, name: player, password }),
  invitations: () => ask<Schemas["InvitationInfo"][]>("GET", "/invitations"),
  invite: (request: Partial<Schemas["NewInvitation"]>) =>
    ask<Schemas["InvitationMade"]>("POST", "/invitations", request),
  withdraw: (id: string) => ask<void>("DELETE", `/invitations/${id}`),
  players: () => ask<Schemas["AccountPlayer"][]>("GET", "/players"),
  setRole: (id: number, role: "player" | "host") =>
    ask<Schemas["AccountPlayer"]>("PUT", `/players/${id}/role`, { role }),
  removePlayer: (id: number) => ask<void>("DELETE", `/players/${id}`),
  watched: async (secret: string) => {
    const requested = language;
    const found = await ask<Schemas["Watched"]>("GET", `/watch/${name(secret)}`);
    addPileLabels(requested, found.game.groups);
    addVariantLabels(requested, found.game.variants);
    return found;
  },
  shown: (id: string) => ask<Schemas["Shown"]>("GET", `/tables/${id}/shown`),
  show: (id: string) => ask<Schemas["Shown"]>("POST", `/tables/${id}/shown`),
  hide: (id: string) => ask<void>("DELETE", `/tables/${id}/shown`),
  about: () => ask<Schemas["About"]>("GET", "/about"),
  games: async () => {
    const requested = language;
    const games = await ask<Schemas["GameSummary"][]>("GET", "/games");
    for (const game of games) addVariantLabels(requested, game.variants);
    return games;
  },
  game: async (id: string) => {
    const requested = language;
    const game = await ask<Game>("GET", `/games/${name(id)}`);
    addPileLabels(requested, game.groups);
    addVariantLabels(requested, game.variants);
    return game;
  },
  rules: (game: string) => ask<Schemas["RulesProse"]>("GET", `/games/${name(game)}/rules`),
  favourite: (game: string, on: boolean) =>
    ask<void>(on ? "PUT" : "DELETE", `/games/${name(game)}/favourite`),
  tables: () => ask<Schemas["TableSummary"][]>("GET", "/tables?open=true&limit=30"),
  table: (id: string) => ask<Table>("GET", `/tables/${id}`),
  tree: (id: string) => ask<Schemas["Tree"]>("GET", `/tables/${id}/tree`),
  deal: (request: Partial<Schemas["NewTable"]> & { game: string }) =>
    ask<Table>("POST", "/tables", request),
  move: (id: string, request: Partial<Schemas["MoveRequest"]> & { version: number }) =>
    ask<Played>("POST", `/tables/${id}/moves`, request),
  redo: (id: string, version: number) => ask<Played>("POST", `/tables/${id}/redo`, { version }),
  finish: (id: string, version: number) => ask<Played>("POST", `/tables/${id}/finish`, { version }),
  undo: (id: string, version: number) => ask<Table>("POST", `/tables/${id}/undo`, { version }),
  restart: (id: string, version: number) =>
    ask<Table>("POST", `/tables/${id}/restart`, { version }),
  open: (id: string, version: number) => ask<Table>("POST", `/tables/${id}/open`, { version }),
  bookmark: (id: string, request: Schemas["BookmarkRequest"]) =>
    ask<Table>("POST", `/tables/${id}/bookmark`, request),
  export: (id: string) => ask<Schemas["GameFile"]>("GET", `/tables/${id}/export`),
  import: (text: string) => ask<Table>("POST", "/tables/import", { text }),
  share: (id: string, line: boolean, node?: number) =>
    ask<Schemas["Share"]>(
      "GET",
      `/tables/${id}/share?line=${line}${node === undefined ? "" : `&node=${node}`}`,
    ),
  replay: (id: string, node?: number) =>
    ask<Schemas["Replay"]>(
      "GET",
      `/tables/${id}/replay${node === undefined ? "" : `?node=${node}`}`,
    ),
  review: (id: string, node?: number) =>
    ask<Schemas["Review"]>("POST", `/tables/${id}/review`, { node: node ?? null }),
  nextPuzzle: (game: string, skip?: string) => {
    const query = new URLSearchParams({ ...(game && { game }), ...(skip && { skip }) });
    return ask<Schemas["Puzzle"]>("GET", `/puzzles/next?${query.toString()}`);
  },
  puzzle: (id: string) => ask<Schemas["Puzzle"]>("GET", `/puzzles/${name(id)}`),
  tryPuzzle: (id: string, request: Partial<Schemas["PuzzleTry"]>) =>
    ask<Schemas["PuzzleTried"]>("POST", `/puzzles/${name(id)}/tries`, request),
  daily: (day: string, player: string) => {
    const query = new URLSearchParams({ ...(day && { day }), ...(player && { player }) });
    return ask<Schemas["DailyDay"]>("GET", `/daily?${query.toString()}`);
  },
  dailyResults: (day: string, game: string, order: "moves" | "time") => {
    const query = new URLSearchParams({ day, game, order });
    return ask<Schemas["DailyResult"][]>("GET", `/daily/results?${query.toString()}`);
  },
  dailyCalendar: (player: string) =>
    ask<Schemas["DailyCalendar"]>("GET", `/daily/calendar?player=${name(player)}`),
  enterDaily: (entry: Schemas["DailyEntry"]) =>
    ask<Schemas["DailyResult"]>("POST", "/daily/results", entry),
  makeChallenge: (request: Schemas["NewChallenge"]) =>
    ask<Schemas["Challenge"]>("POST", "/challenges", request),
  challenge: (id: string, table: string) =>
    ask<Schemas["Challenge"]>("GET", `/challenges/${name(id)}${table && `?table=${name(table)}`}`),
  enterChallenge: (id: string, entry: Schemas["ChallengeEntry"]) =>
    ask<Schemas["Challenge"]>("POST", `/challenges/${name(id)}/results`, entry),
  replayLine: (line: Schemas["Line"]) => ask<Schemas["Replay"]>("POST", "/replays", line),
  goto: (id: string, version: number, node: number) =>
    ask<Table>("POST", `/tables/${id}/goto`, { version, node }),
  options: (id: string, request: Partial<Schemas["OptionsRequest"]> & { version: number }) =>
    ask<Table>("POST", `/tables/${id}/options`, request),
  hint: (id: string, version: number) =>
    ask<Schemas["Hint"]>("POST", `/tables/${id}/hint`, { version }),
  variants: (game: string) => ask<Schemas["Variant"][]>("GET", `/games/${name(game)}/variants`),
  rulesFile: (game: string) => ask<Schemas["RulesFile"]>("GET", `/games/${name(game)}/file`),
  check: (text: string, deal?: number) =>
    ask<Schemas["Checked"]>("POST", "/rules/check", { text, deal: deal ?? null }),
  rate: (id: string) => ask<Schemas["Rate"]>("GET", `/rules/rates/${id}`),
  form: () => ask<Schemas["FormSection"][]>("GET", "/rules/form"),
  write: (answers: Record<string, string>) =>
    ask<Schemas["WrittenRules"]>("POST", "/rules/form", { answers }),
  vocabulary: () => ask<Schemas["Vocabulary"]>("GET", "/rules/vocabulary"),
  upload: (request: Partial<Schemas["Upload"]> & { text: string }) =>
    ask<Schemas["Uploaded"]>("POST", "/rules", request),
  remove: (game: string) => ask<void>("DELETE", `/rules/${name(game)}`),
  search: (game: string, difficulty: Difficulty | null = null) =>
    ask<Schemas["Search"]>("POST", "/searches", { game, difficulty }),
  searched: (id: string) => ask<Schemas["Search"]>("GET", `/searches/${id}`),
  endSearch: (id: string) => ask<Schemas["Search"]>("DELETE", `/searches/${id}`),
  statistics: () => ask<Schemas["Statistics"]>("GET", "/statistics"),
  settings: () => ask<Settings>("GET", "/settings"),
  setSettings: (request: Settings) => ask<Settings>("PUT", "/settings", request),
};

/** What the server reports about a table without being asked. */
export type TableNews = Schemas["TableEvent"] | Schemas["VerdictEvent"];

/** Why the server closes a socket for good: the table is gone, or the token or login is missing. */
const FINAL_CODES = new Set([4401, 4403, 4404]);
/** Milliseconds until a lost connection is opened again: at first, and at most. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;

/**
 * Listens to a table until the returned function is called. A lost connection is opened again,
 * after pauses that grow as long as the server does not answer or has no room.
 *
 * @param id The table, or the secret of the link by which it is shown.
 * @param receive Called with what the server reports.
 * @param what Which of the two it is.
 * @param gone Called when the server has closed the connection for good.
 */
export function listen(
  id: string,
  receive: (news: TableNews) => void,
  what: "tables" | "watch" = "tables",
  gone: () => void = () => undefined,
): () => void {
  let socket: WebSocket | null = null;
  let ended = false;
  let pause = FIRST_PAUSE;
  let reconnect: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(
      `${scheme}://${location.host}/api/${what}/${id}/events?lang=${language}`,
    );
    socket.onmessage = (event) => {
      pause = FIRST_PAUSE;
      receive(JSON.parse(String(event.data)) as TableNews);
    };
    socket.onclose = ({ code }) => {
      if (ended) return;
      if (FINAL_CODES.has(code)) return gone();
      // All pages of a server that was restarted are not to come back at the same moment.
      reconnect = setTimeout(open, pause * (1 + Math.random() / 2));
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    };
  };
  open();
  return () => {
    ended = true;
    clearTimeout(reconnect);
    socket?.close();
  };
}
