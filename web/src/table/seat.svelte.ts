/** The player's seat at a table: how it stands, and all that can be done there. */

import {
  api,
  listen,
  Refused,
  type Game,
  type Played,
  type Schemas,
  type Table,
} from "../api/client";
import type { Board, BoardMove, Wish } from "../board/board";
import { to } from "../routes";
import { shared } from "../state.svelte";
import { brief, sentence } from "./tell";

/** Milliseconds between the steps of a move that forces others. */
const STEP = 130;
/** A move shows at most so many of its steps one after the other. */
const MOST_STEPS = 40;
/** A player who is quicker than the table is ahead of it by at most so much. */
const MOST_WANTS = 8;
/** Milliseconds after the last move until its end is told. */
const BREATH = 700;

type News = Schemas["TableEvent"] | Schemas["VerdictEvent"];
export type End = "won" | "lost";

export class Seat {
  table = $state.raw<Table | null>(null);
  game = $state.raw<Game | null>(null);
  /** What is said to the player, and whether something was refused. */
  message = $state("");
  refusal = $state(false);
  /** What is read aloud. */
  aloud = $state("");
  /** Moves among which the player must choose. */
  choices = $state.raw<Schemas["Move"][]>([]);
  /** The game has ended by the player's last move. */
  ended = $state<End | null>(null);
  /** A deal that can be won is looked for. */
  seeking = $state(false);
  /** When the server told the time played. */
  told = $state(0);
  board: Board | null = null;
  /** How much is being done, or waits for its turn. */
  private wants = 0;
  private turn: Promise<void> = Promise.resolve();
  /** Grows when what was wanted before was wanted of another table. */
  private epoch = 0;
  private waiting: News[] = [];
  private gone = false;
  private stop = (): void => undefined;

  constructor(readonly id: string) {}

  /** Sits down; whoever has gone meanwhile hears of nothing. */
  async sit(): Promise<void> {
    const first = await api.table(this.id);
    const game = await api.game(first.game);
    if (this.gone) return;
    this.game = game;
    this.keep(first);
    this.stop = listen(this.id, (news) => this.hear(news));
  }

  leave(): void {
    this.gone = true;
    this.stop();
  }

  get speech(): typeof shared.speech {
    return shared.speech;
  }

  tell(text: string, refused = false): void {
    this.message = text;
    this.refusal = refused;
  }

  // What comes from the server.

  private hear(news: News): void {
    if (this.wants > 0) this.waiting.push(news);
    else this.take(news);
  }

  private take(news: News): void {
    const now = this.table;
    if (now === null || this.gone) return;
    if (news.type === "verdict") {
      if (news.node === now.node) this.judge(news.verdict);
    } else if (news.table.version > now.version) {
      this.show(news.table);
      this.tell(this.speech.say("stale"));
    } else if (news.table.version === now.version) this.judge(news.table.verdict);
  }

  private judge(verdict: Schemas["Verdict"]): void {
    const before = this.table!.verdict;
    this.table = { ...this.table!, verdict };
    if (verdict.mode !== "none" && before.status !== verdict.status) {
      this.aloud = verdict.message.text;
    }
  }

  private keep(now: Table): void {
    this.table = now;
    this.told = Date.now();
  }

  /** Shows a table as it stands. */
  private show(now: Table): void {
    this.keep(now);
    this.board?.hint(null);
    this.board?.set(now.position as never);
    if (now.position.outcome === "won") this.tell(this.speech.say("won"));
    else if (now.position.choice) this.tell(now.position.choice.message.text);
    else if (now.position.outcome === "lost") this.tell(this.speech.say("lost"));
  }

  // What the player does.

  /** Does one thing after the other, as many as a quick player is ahead. */
  private act(work: (version: number) => Promise<void>): Promise<void> {
    if (this.table === null || this.wants === MOST_WANTS) return Promise.resolve();
    this.wants += 1;
    const { epoch } = this;
    const mine = this.turn.then(() => this.alone(work, epoch));
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  /** Does something; what the server refuses is said in its words. */
  private async alone(work: (version: number) => Promise<void>, epoch: number): Promise<void> {
    try {
      if (this.gone || epoch !== this.epoch) return;
      this.tell("");
      shared.failure = "";
      await work(this.table!.version);
    } catch (fault) {
      this.epoch += 1;
      if (fault instanceof Refused) this.refused(fault.problem);
      else if (fault instanceof TypeError) shared.lost();
      else throw fault;
    } finally {
      this.wants -= 1;
      if (this.wants === 0) for (const news of this.waiting.splice(0)) this.take(news);
    }
  }

  private refused(problem: Schemas["Problem"]): void {
    if (problem.code === "stale" && problem.table) {
      this.show(problem.table);
      this.tell(this.speech.say("stale"), true);
    } else if (problem.code === "ambiguous" && problem.moves && problem.moves.length > 0) {
      const texts = new Set(problem.moves);
      this.choices = this.table!.position.moves.filter((move) => texts.has(move.text));
    } else this.tell(problem.message.text, true);
  }

  play(wish: Wish): Promise<void> {
    return this.act(async (version) => {
      const played = await api.move(this.id, { version, ...wish });
      await this.follow(played);
      const { finish } = played.table;
      if (!finish || !shared.own("finishes", false)) return;
      await this.follow(await api.finish(this.id, played.table.version));
    });
  }

  /** Shows what happened step by step, then how the table stands. */
  private async follow(played: Played): Promise<void> {
    const speed = shared.settings!.speed;
    const still = speed === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches;
    const told = played.steps.map((step) => sentence(this.speech, step));
    this.aloud = told.join(". ");
    if (!still) {
      for (const step of played.steps.slice(0, -1).slice(0, MOST_STEPS)) {
        this.board?.lay(step.piles);
        await new Promise((done) => setTimeout(done, STEP / speed));
      }
    }
    if (this.gone) return;
    this.show(played.table);
    if (this.message === "" && told.length > 1) this.tell(told.slice(1, 4).join(" · "));
    const { outcome } = played.table.position;
    if (!outcome) return;
    const { version } = played.table;
    setTimeout(
      () => {
        if (!this.gone && this.table?.version === version) this.ended = outcome;
      },
      still ? 0 : BREATH,
    );
  }

  undo(): Promise<void> {
    return this.act(async (version) => {
      if (!this.table!.undo) return;
      this.show(await api.undo(this.id, version));
      this.aloud = this.speech.say("undone");
    });
  }

  redo(): Promise<void> {
    return this.act(async (version) => {
      if (this.table!.redo) await this.follow(await api.redo(this.id, version));
    });
  }

  restart(): Promise<void> {
    return this.act(async (version) => {
      this.show(await api.restart(this.id, version));
      this.aloud = this.speech.say("restarted");
    });
  }

  finish(): Promise<void> {
    return this.act(async (version) => this.follow(await api.finish(this.id, version)));
  }

  goTo(node: number): Promise<void> {
    return this.act(async (version) => {
      this.show(await api.goto(this.id, version, node));
      this.aloud = this.speech.say("gone", { number: this.table!.turn });
    });
  }

  /** Goes to the last position of this line from which the game could still be won. */
  beforeItWasLost(): Promise<void> {
    return this.act(async (version) => {
      const { since } = this.table!.verdict;
      if (!since) return;
      const tree = await api.tree(this.id);
      this.show(await api.goto(this.id, version, tree.path[since - 1]));
      this.aloud = this.speech.say("gone", { number: this.table!.turn });
    });
  }

  hint(): Promise<void> {
    return this.act(async (version) => {
      const found = await api.hint(this.id, version);
      if (!found.move) return this.tell(found.message.text);
      this.tell(`${this.words(found.move)} – ${found.message.text}`);
      this.board?.hint(found.move as BoardMove);
    });
  }

  /** A move that can be made here, in words and with its cards. */
  words(move: Schemas["Move"]): string {
    const cards = move.transfers.flatMap((way) =>
      (this.pile(way.from)?.cards ?? []).slice(-way.count),
    );
    return brief(this.speech, move.text, cards);
  }

  pile(name: string): Schemas["Pile"] | undefined {
    return this.table?.position.piles.find((pile) => pile.name === name);
  }

  /** Names a position; the empty name takes it away. */
  mark(node: number, name: string): Promise<void> {
    return this.act(async (version) => {
      this.keep(await api.bookmark(this.id, { version, node, name }));
      this.tell(name === "" ? this.speech.say("unnamed") : this.speech.say("named", { name }));
    });
  }

  options(wish: { verdict?: "thoughtful" | "none"; autoplay?: boolean }): Promise<void> {
    return this.act(async (version) => {
      this.keep(await api.options(this.id, { version, ...wish }));
    });
  }

  takeUp(): Promise<void> {
    return this.act(async (version) => {
      this.keep(await api.open(this.id, version));
      this.tell(this.speech.say("tookUp"));
    });
  }

  /** Saves the game as a file of the browser's. */
  save(): Promise<void> {
    return this.act(async () => {
      const file = await api.export(this.id);
      const address = URL.createObjectURL(new Blob([file.text], { type: "text/plain" }));
      const link = document.createElement("a");
      link.href = address;
      link.download = file.file_name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
      this.tell(this.speech.say("saved", { name: file.file_name }));
    });
  }

  /** Deals anew at another table; this one is put away. */
  deal(how: { deal?: string; like?: string } = {}): Promise<void> {
    return this.act(async () => {
      const fresh = await api.deal({ game: this.table!.game, ...how, closes: this.id });
      this.epoch += 1;
      location.hash = to("table", fresh.id);
    });
  }

  /** A new deal as the settings want it: any, or one that can be won. */
  newDeal(): Promise<void> {
    if (!shared.settings!.winnable_only) return this.deal();
    this.seeking = true;
    return Promise.resolve();
  }
}
